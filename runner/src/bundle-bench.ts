import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@landfall/bundle'
import { LandfallError } from '@landfall/contracts/errors'
import { repositoryRoot } from './root.ts'

/**
 * `npm run bench:bundle`: the largest bundle there can be, read by `landfall bundle` and by `sha256sum` in
 * turns, each as a whole process, the start of Node included. Only the ratio means anything: of each round, and
 * of the fastest runs of either, which is the one to look at on a machine with other work.
 */
const rounds = 21
const aim = 1.5

/** @returns the exit code: 1 when the median of the ratios misses the aim. */
export function main(): number {
  using tree = largestBundle()
  const bundle = () => run(process.execPath, [join(repositoryRoot, 'scripts/landfall.ts'), 'bundle', tree.root])
  const sha256sum = () => run('sha256sum', ['--', ...tree.files])
  // The first round only fills the page cache.
  bundle()
  sha256sum()
  const rows: { ours: number; theirs: number }[] = []
  for (let round = 1; round <= rounds; round += 1) {
    // Whoever goes first would otherwise always be the one that finds the machine as it was left.
    const first = round % 2 === 0 ? bundle() : undefined
    const theirs = sha256sum()
    const ours = first ?? bundle()
    rows.push({ ours, theirs })
    const times = `bundle ${ours.toFixed(0)} ms, sha256sum ${theirs.toFixed(0)} ms`
    process.stdout.write(`round ${round}: ${times}, ratio ${(ours / theirs).toFixed(2)}\n`)
  }
  const sorted = rows.map(({ ours, theirs }) => ours / theirs).toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const fastest = Math.min(...rows.map(({ ours }) => ours)) / Math.min(...rows.map(({ theirs }) => theirs))
  process.stdout.write(
    `${limits.files} files, 32 MiB, ${rounds} rounds: bundle takes ${median.toFixed(2)} times sha256sum ` +
      `(min ${sorted[0]?.toFixed(2)}, max ${sorted.at(-1)?.toFixed(2)}; fastest to fastest ${fastest.toFixed(2)}; ` +
      `aim: at most ${aim})\n`,
  )
  return median <= aim ? 0 : 1
}

/** As `npm run landfall` starts the command: with Node's cache of compiled files. */
const env = { NODE_COMPILE_CACHE: join(repositoryRoot, '.landfall/compile-cache'), ...process.env }

/** Milliseconds of one process, from before it starts until it has ended. */
function run(file: string, args: readonly string[]): number {
  const started = performance.now()
  const { status, error, stderr } = spawnSync(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  const took = performance.now() - started
  if (status === 0) return took
  throw new LandfallError('machine', `${file} failed: ${error?.message ?? stderr.toString()}`, { status })
}

/** As many files as a bundle may have, as large as they may be together. */
function largestBundle() {
  const root = mkdtempSync(join(tmpdir(), 'landfall-bench-bundle-'))
  const size = limits.totalBytes / limits.files
  const files = ['SKILL.md', ...Array.from({ length: limits.files - 1 }, (_, index) => `d${index % 16}/f${index}`)].map(
    (name) => join(root, name),
  )
  for (let index = 0; index < 16; index += 1) mkdirSync(join(root, `d${index}`))
  for (const [index, file] of files.entries())
    writeFileSync(file, index === 0 ? Buffer.alloc(size, 'text\n') : randomBytes(size))
  return { root, files, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
