import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/**
 * The official conformance suite's scenarios for hosts of the extension, against the reference host as a program; and
 * against the mutant without the rule that a scenario is about, which must fail it.
 *
 * The suite ends with 0 also when nothing was checked, so that its line of results is what counts.
 */
const scenarios = [
  // Approved and not needed yet: whatever is read then is read ahead of need.
  { scenario: 'no-prefetch', rule: 'H19', more: ['--until', 'approval'] },
  { scenario: 'verify-digest', rule: 'H16', more: [] },
  // Its file has another digest too.
  { scenario: 'verify-size', rule: 'H16,H16-size', more: [] },
  { scenario: 'verify-frontmatter', rule: 'H18', more: [] },
]

const suite = fileURLToPath(new URL('../../../../node_modules/.bin/conformance', import.meta.url))
const program = fileURLToPath(new URL('../main.ts', import.meta.url))

describe('the conformance suite', { timeout: 120_000 }, () => {
  it.each(scenarios)('passes the reference host: $scenario', async ({ scenario, more }) => {
    expect(await judged(scenario, more)).toBe('Passed: 1/1, 0 failed, 0 warnings')
  })

  it.each(scenarios)('fails it without $rule: $scenario', async ({ scenario, rule, more }) => {
    expect(await judged(scenario, [...more, '--without', rule])).toBe('Passed: 0/1, 1 failed, 0 warnings')
  })
})

/** @returns the suite's line of results; all it said when there is none. */
async function judged(scenario: string, more: readonly string[]): Promise<string> {
  await using home = await mkdtempDisposable(join(tmpdir(), 'conformance-'))
  const visit = ['reference', 'visit', '--revision', 'stable', '--consent', 'always', '--home', home.path, ...more]
  const command = [process.execPath, program, ...visit].join(' ')
  const asked = ['client', '--command', command, '--scenario', `sep-2640-client-${scenario}`]
  const child = spawn(process.execPath, [suite, ...asked], {
    env: { HOME: home.path, PATH: process.env['PATH'] ?? '', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: home.path,
  })
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const said = `${out}${errors}`
  return /^Passed: .*$/m.exec(said)?.[0] ?? said
}
