/** Brings `node_modules` in line with `package-lock.json`, once, whoever else starts at the same time. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from '../runner/src/preflight/lock.mjs'
import { npmCi } from './npm-ci.mjs'

const stampName = join('node_modules', '.landfall-stamp')

export async function ensureDependencies(root, say) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  // Programs inside are built for one platform; a copied folder is not good on another.
  const wanted = `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`
  if (isFresh(root, wanted)) return
  const onWait = (pid) => say(`waiting for another npm ci in this folder (process ${pid})`)
  await withLock(join(root, '.landfall', 'npm-ci.lock'), (held) => install(root, lock, wanted, held, say), { onWait })
}

function isFresh(root, wanted) {
  try {
    return readFileSync(join(root, stampName), 'utf8') === wanted
  } catch {
    return false
  }
}

async function install(root, lock, wanted, held, say) {
  if (isFresh(root, wanted)) return
  if (!installedByHand(root, lock)) {
    const missing = !existsSync(join(root, 'node_modules'))
    say(`dependencies are ${missing ? 'missing' : 'not those of package-lock.json'}; running npm ci`)
    const began = Date.now()
    // npm ci removes the folder first and the stamp with it, so one that is interrupted is done again.
    await npmCi(root, held)
    say(`npm ci took ${((Date.now() - began) / 1000).toFixed(0)} s`)
  }
  // Without the stamp the next start looks again, which is right as long as the Node inside does not run.
  if (nodeRuns(root)) writeFileSync(join(root, stampName), wanted)
}

/** After `npm install` by hand, npm's own record agrees with the lock file, and nothing need be done. */
function installedByHand(root, lock) {
  let record
  try {
    record = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')).packages
  } catch {
    return false
  }
  const isSame = (a, b) => a.version === b.version && (a.integrity ?? a.resolved) === (b.integrity ?? b.resolved)
  const isComplete = Object.entries(JSON.parse(lock).packages).every(([path, entry]) => {
    if (path in record) return isSame(record[path], entry)
    return !path.includes('node_modules/') || entry.optional === true
  })
  return isComplete && nodeRuns(root)
}

function nodeRuns(root) {
  return spawnSync(join(root, 'node_modules', '.bin', 'node'), ['--version']).status === 0
}
