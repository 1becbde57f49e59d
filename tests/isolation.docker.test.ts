import { describe, expect, it } from 'vitest'
import { connectEngine } from '../runner/src/engine.ts'
import { checkIsolation } from '../runner/src/isolation.ts'
import { StartedLab, startLab } from '../runner/src/lab.ts'
import { preflight } from '../runner/src/preflight/index.ts'
import { loadProfiles } from '../runner/src/profiles.ts'
import { root } from './support/landfall.ts'

/** A lab whose victims are less confined than compose.yaml says: the self-test must notice. */
function weaken(lab: StartedLab, change: Partial<StartedLab['victim']>, network = lab.network): StartedLab {
  const { run, controlUrl, observers, server, maskedPaths, sinkhole, addresses } = lab
  return new StartedLab(engineOf, {
    run,
    controlUrl,
    observers,
    server,
    maskedPaths,
    sinkhole,
    addresses,
    network,
    victim: { ...lab.victim, ...change },
  })
}
const profiles = (await loadProfiles()).filter(({ image }) => image === undefined)
const engineOf = await connectEngine()

describe('the self-test from inside a victim', () => {
  it('passes in the lab, and fails when a victim is confined less', async () => {
    const { images } = await preflight({ root, say: () => undefined })
    await using lab = await startLab({ engine: engineOf, root, images, run: `isolation-${process.pid}`, observers: 1 })
    const { control, versions } = await checkIsolation(engineOf, lab, profiles)
    expect(control).toMatchObject({ name: 'isolation', passed: true })
    expect(control.detail).toMatch(/\d\d probes/)
    expect(Object.keys(versions).length).toBeGreaterThanOrEqual(13)
    expect(Object.values(versions)).not.toContain('')

    const verdict = async (weaker: StartedLab) => (await checkIsolation(engineOf, weaker, profiles)).control
    // Without KILL all the same: its signals could end the observer, and this test with it.
    const capable = await verdict(weaken(lab, { cap_drop: ['KILL'], cap_add: [] }))
    expect(capable).toMatchObject({ passed: false, detail: expect.stringContaining('no capability') as string })
    const privileged = await verdict(weaken(lab, { security_opt: [] }))
    expect(privileged).toMatchObject({ passed: false, detail: expect.stringContaining('no new privileges') as string })
    const routed = await verdict(weaken(lab, {}, lab.network.replace(/_lab$/, '_control')))
    expect(routed).toMatchObject({ passed: false, detail: expect.stringContaining('no default route') as string })
  })
})
