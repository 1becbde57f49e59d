import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * Run while the image is built: leaves of npm only what installing a package from a folder loads, its install
 * scripts included. npm has two thousand files, and each trial looks at every file of this image twice.
 *
 * Installs once more afterwards: an npm that lost too much fails the build.
 */
const run = promisify(execFile)
const [npm = ''] = process.argv.slice(2)
const work = mkdtempSync(join(tmpdir(), 'trim-npm-'))
const loadedList = join(work, 'loaded')
const recorder = join(work, 'recorder.mjs')

// Written at the end of every process that the installation starts: npm itself and the install script.
writeFileSync(
  recorder,
  `import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
const loaded = new Set()
registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) })
process.on('exit', () => appendFileSync(${JSON.stringify(loadedList)}, [...loaded, ''].join('\\n')))
`,
)
await install({ NODE_OPTIONS: `--import ${recorder}` })
const urls = readFileSync(loadedList, 'utf8').split('\n')
const loaded = new Set(urls.flatMap((url) => (url.startsWith('file:') ? [fileURLToPath(url)] : [])))
const kept = prune(npm)
process.stdout.write(`npm: ${kept} files are left\n`)
await install({})
rmSync(work, { recursive: true })
rmSync(join(process.env['HOME'] ?? '/root', '.npm'), { recursive: true, force: true })

async function install(env: Readonly<Record<string, string>>): Promise<void> {
  const target = mkdtempSync(join(work, 'target-'))
  const folder = mkdtempSync(join(work, 'package-'))
  const script = `require('node:fs').writeFileSync(require('node:path').join(process.env.INIT_CWD, 'done'), '')`
  writeFileSync(join(folder, 'setup.cjs'), script)
  const manifest = { name: 'sample', version: '1.0.0', scripts: { postinstall: 'node setup.cjs' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const options = ['--prefix', '.', '--no-save', '--offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...options, folder], { cwd: target, env: { ...process.env, ...env } })
  readFileSync(join(target, 'done'))
}

/** Deletes below `folder` what was not loaded. Manifests and programs are looked up by name, so they stay. @returns files kept. */
function prune(folder: string): number {
  let left = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) left += prune(path)
    else if (loaded.has(path) || entry.name === 'package.json' || folder.endsWith(`${sep}bin`)) left += 1
    else unlinkSync(path)
  }
  if (left === 0) rmdirSync(folder)
  return left
}
