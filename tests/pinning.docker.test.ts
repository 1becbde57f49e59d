import { describe, expect, it } from 'vitest'
import { Workplace } from './support/landfall.ts'

/** What a pin is worth, by the witnesses of a run: the same word of the host would prove nothing. */
describe('the host that pins bundles, in a run', () => {
  it('takes the benign skill, stops one that changes after its review, and not one that was bad before', async () => {
    await using place = await Workplace.create()
    // The naive host, without which a run is void, takes files alone.
    const channels = 'mcp-stable,archive-file'
    const fixtures = 'adv-content-rotation,license-checker'
    const { exitCode, stderr } = await place.run([
      '--fixtures',
      fixtures,
      '--hosts',
      'bundle-pinning',
      '--channel',
      channels,
    ])
    expect(exitCode, stderr).toBe(0)
    const { trials } = await place.readResults()
    const cell = (fixture: string) =>
      trials.find((trial) => trial.fixture === fixture && trial.host === 'bundle-pinning' && trial.evidence !== '')
    expect(cell('control-benign')).toMatchObject({ outcome: 'contained', verdict: 'pass' })
    const rotated = cell('adv-content-rotation')
    expect(rotated).toMatchObject({ outcome: 'blocked', verdict: 'pass' })
    // Nothing of either delivery is left where skills are used.
    expect(rotated?.sites.filter(({ path }) => path.includes('/.agents/'))).toEqual([])
    expect(cell('license-checker')).toMatchObject({ outcome: 'landed', verdict: 'fail' })
    const harm = cell('license-checker')?.sites.filter(({ harmful }) => harmful)
    expect(harm).toMatchObject([{ site: 'executed', path: '/home/agent/workspace/.landfall-executed' }])
  })
})
