import { describe, expect, it } from 'vitest'
import { preflight } from '../runner/src/preflight/index.ts'
import { root, runIdOf, untilPrinted, Workplace } from './support/landfall.ts'
import { PrivateEngine } from './support/private-engine.ts'

describe('an engine that dies in the middle of a run', () => {
  it('ends the run with exit code 4, loses no finished trial, leaves nothing, and the run can go on', async () => {
    const { images } = await preflight({ root, say: () => undefined })
    await using engine = await PrivateEngine.start()
    await engine.load(['node:24-trixie-slim', ...Object.values(images).map(({ image }) => image)])
    await using place = await Workplace.create()
    const there = { env: engine.env, prefix: engine.prefix }

    const child = place.run(
      ['--fixtures', 'adv-archive-traversal,adv-archive-setuid', '--jobs', '2', '--seed', '5'],
      there,
    )
    await untilPrinted(child, /^\[\d+\/\d+\] /, 3)
    await engine.killDaemon()
    await engine.startDaemon()
    const broken = await child
    const run = runIdOf(broken.stderr)
    expect(broken.stderr).toMatch(/^landfall: the engine or the lab went away/m)
    expect(broken.stderr).toContain(`run --resume ${run}`)
    expect(broken.exitCode).toBe(4)
    const left = async () => [
      await engine.docker(['ps', '-aq', '--filter', `label=dev.landfall.run=${run}`]),
      await engine.docker(['network', 'ls', '-q', '--filter', `label=dev.landfall.run=${run}`]),
      await engine.docker(['volume', 'ls', '-q', '--filter', `label=dev.landfall.run=${run}`]),
    ]
    expect(await left()).toEqual(['', '', ''])
    const kept = await place.readLines(run)
    expect(kept.filter(({ evidence }) => evidence !== '').length).toBeGreaterThanOrEqual(3)
    expect(kept.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([])

    const resumed = await place.run(['--resume', run], there)
    expect(resumed.exitCode, resumed.stderr).toBe(0)
    const { trials } = await place.readResults()
    expect(trials).toEqual(expect.arrayContaining(kept))
    expect(trials.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([])
    expect(await left()).toEqual(['', '', ''])
  })
})
