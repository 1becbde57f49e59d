import { describe, expect, it } from 'vitest'
import { runProgram } from './testing/program.ts'
import { startTestService } from './testing/service.ts'

/**
 * The official conformance suite against the corpus profile: no failure and no warning.
 *
 * The suite exits 0 with warnings, and when nothing was checked at all, so its last line is what counts.
 */
const scenarios = [
  ['sep-2640-skills-enumeration'],
  ['sep-2640-skills-enumeration', '--force', '--spec-version', '2025-11-25'],
  ['sep-2640-skills-manifest'],
  ['sep-2640-skills-directory'],
  ['server-initialize'],
  ['ping'],
  ['resources-list'],
  ['sep-2164-resource-not-found'],
  ['dns-rebinding-protection'],
  ['caching'],
  ['http-header-validation'],
]

describe('the conformance suite', { timeout: 60_000 }, () => {
  it.each(scenarios)('%s %s %s %s', async (scenario, ...options) => {
    await using service = await startTestService({}, { SERVE_PROFILE: 'corpus' })
    const url = `${service.mcpUrl}/mcp`
    const { code, stdout } = await runProgram('conformance', [
      'server',
      '--url',
      url,
      '--scenario',
      scenario ?? '',
      ...options,
    ])
    const [, passed = '0', all] = /^Passed: (\d+)\/(\d+), 0 failed, 0 warnings$/m.exec(stdout) ?? []
    expect({ code, passed, summary: stdout.slice(-300) }).toMatchObject({ code: 0, passed: all })
    expect(Number(passed)).toBeGreaterThan(0)
  })
})
