/**
 * Runs `scripts/<what>.ts` on the Node of the `node` dependency, whatever Node the machine has; installs the
 * dependencies first when they are missing or differ from the lock file.
 *
 * Plain JavaScript without dependencies, for any Node from 20 on. Does not look at the engine: that is set-up's.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
const [what, ...args] = process.argv.slice(2)
// As in its containers: requests are small, and a large nursery only makes the process larger.
const flagsOf = { 'serve-http': ['--max-semi-space-size=8'], 'serve-stdio': ['--max-semi-space-size=8'] }

if (Number.parseInt(process.versions.node, 10) < 20) {
  fail(`Node ${process.versions.node} is too old: Landfall starts on Node 20 or later and brings the Node it runs on.`)
}
if (what === undefined || !existsSync(join(root, 'scripts', `${what}.ts`)))
  fail('usage: node scripts/start.mjs <script>', 2)

const { ensureDependencies } = await import('./dependencies.mjs')
try {
  await ensureDependencies(root, (line) => process.stderr.write(`Set-up: ${line}\n`))
} catch (error) {
  fail(error.message, error.exitCode)
}
run(nodeToUse())

function nodeToUse() {
  const own = join(bin, 'node')
  if (existsSync(own)) return own
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath
  return fail(
    `the Node that the package 'node' brings is not there (${own}). ` +
      'Was its install script skipped (npm config get ignore-scripts)? Otherwise use Node 24 or later.',
  )
}

function run(node) {
  const child = spawn(node, [...(flagsOf[what] ?? []), join(root, 'scripts', `${what}.ts`), ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...quickStart(), PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
  })
  // A terminal sends Ctrl-C to both; the child cleans up, and we wait for it instead of leaving it behind.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/**
 * What scripts/landfall.ts and the server ask for too, but here before Node has to read those files: from the
 * second start on not even the compiler of the types is loaded.
 */
function quickStart() {
  const quick = what === 'landfall' || what in flagsOf
  if (!quick || 'NODE_COMPILE_CACHE' in process.env) return {}
  return { NODE_COMPILE_CACHE: join(root, '.landfall', 'compile-cache') }
}

function fail(message, code = 4) {
  process.stderr.write(`landfall: ${message}\n`)
  process.exit(code)
}
