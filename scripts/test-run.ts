/** The static checks and the tests, counted together. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runChild } from './child.ts'
import { addCounts, closingLine, countVitest, noTests, parseReport, type Counts } from './test-count.ts'

const checks: readonly { readonly name: string; readonly command: readonly [string, ...string[]] }[] = [
  { name: 'format', command: ['prettier', '--check', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'types', command: ['tsc', '--noEmit'] },
]

export async function runTests(root: string, vitestArguments: readonly string[]): Promise<number> {
  const bin = join(root, 'node_modules', '.bin')
  const counts: Counts[] = []
  for (const { name, command } of checks) {
    const [program, ...args] = command
    const began = Date.now()
    const { code, output } = await runChild(join(bin, program), args, { cwd: root, output: 'kept' })
    const ok = code === 0
    process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${name} (${command.join(' ')}), ${Date.now() - began} ms\n`)
    if (!ok) process.stdout.write(`${output}\n`)
    counts.push({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })
  }
  counts.push(await runVitest(root, join(bin, 'vitest'), vitestArguments))
  const total = counts.reduce(addCounts)
  process.stdout.write(`${closingLine(total)}\n`)
  return total.failed === 0 ? 0 : 1
}

async function runVitest(root: string, program: string, args: readonly string[]): Promise<Counts> {
  const folder = join(root, '.landfall')
  const report = join(folder, `vitest-${process.pid}.json`)
  await mkdir(folder, { recursive: true })
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const { code } = await runChild(program, ['run', ...reporters, ...args], { cwd: root, output: 'shown' })
    const text = await readFile(report, 'utf8').catch(() => undefined)
    return text === undefined ? noTests : countVitest(parseReport(text), code)
  } finally {
    await rm(report, { force: true })
  }
}
