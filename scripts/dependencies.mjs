/** Brings `node_modules` in line with `package-lock.json`, once, whoever else starts at the same time. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from '../runner/src/preflight/lock.mjs'

const stampName = join('node_modules', '.landfall-stamp')

export async function ensureDependencies(root, say) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  // Programs inside are built for one platform; a copied folder is not good on another.
  const wanted = `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`
  if (isFresh(root, wanted)) return
  const onWait = (pid) => say(`waiting for another npm ci in this folder (process ${pid})`)
  await withLock(join(root, '.landfall', 'npm-ci.lock'), () => install(root, lock, wanted, say), { onWait })
}

function isFresh(root, wanted) {
  try {
    return readFileSync(join(root, stampName), 'utf8') === wanted
  } catch {
    return false
  }
}

async function install(root, lock, wanted, say) {
  if (isFresh(root, wanted)) return
  if (!installedByHand(root, lock)) {
    const missing = !existsSync(join(root, 'node_modules'))
    say(`dependencies are ${missing ? 'missing' : 'not those of package-lock.json'}; running npm ci`)
    const began = Date.now()
    // npm ci removes the folder first and the stamp with it, so one that is interrupted is done again.
    await npmCi(root)
    say(`npm ci took ${((Date.now() - began) / 1000).toFixed(0)} s`)
  }
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  writeFileSync(join(root, stampName), wanted)
}

/** After `npm install` by hand, npm's own record agrees with the lock file, and nothing need be done. */
function installedByHand(root, lock) {
  let record
  try {
    record = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')).packages
  } catch {
    return false
  }
  const wanted = JSON.parse(lock).packages
  const same = (path) => (record[path].integrity ?? record[path].resolved) === (wanted[path].integrity ?? wanted[path].resolved)
  const isComplete = Object.entries(wanted).every(([path, entry]) => {
    if (path in record) return record[path].version === entry.version && same(path)
    return !path.includes('node_modules/') || entry.optional === true
  })
  const node = spawnSync(join(root, 'node_modules', '.bin', 'node'), ['--version'])
  return isComplete && node.status === 0
}

function npmCi(root) {
  const args = ['ci', '--loglevel=error', '--no-audit', '--no-fund']
  // Under `npm run`, this is the very npm that was called; npm may not be in PATH at all.
  const cli = process.env.npm_execpath
  const [file, ...first] = cli?.endsWith('npm-cli.js') ? [process.execPath, cli] : ['npm']
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...first, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.on('error', (error) => reject(new Error(error.code === 'ENOENT' ? 'npm is missing: install it with Node.' : error.message)))
    child.on('close', (code, signal) => (code === 0 ? resolve() : reject(new Error(explain(output, signal ?? `exit code ${code}`)))))
  })
}

function explain(output, how) {
  const end = output.trim().split('\n').slice(-12).join('\n  ')
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ERR_SOCKET/.test(output)
  const cause = offline ? 'the npm registry cannot be reached (no network, or a proxy that npm does not know)' : `npm ci failed (${how})`
  return `${cause}:\n  ${end}`
}
