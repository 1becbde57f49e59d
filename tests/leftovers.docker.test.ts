import { describe, expect, it } from 'vitest'
import { runIdOf, untilPrinted, Workplace } from './support/landfall.ts'
import { thingsOf } from './support/things.ts'

describe('landfall clean', () => {
  it('removes what a killed run left, says which, and leaves a living run alone', async () => {
    await using place = await Workplace.create()
    await using other = await Workplace.create()
    const args = ['--fixtures', 'adv-archive-traversal', '--jobs', '1']
    const killed = place.run(args)
    await untilPrinted(killed, /^\[\d+\/\d+\] /)
    killed.kill('SIGKILL')
    const run = runIdOf((await killed).stderr)
    expect((await thingsOf(run)).length).toBeGreaterThan(2)

    const living = other.run(args)
    await untilPrinted(living, /^\[\d+\/\d+\] /)
    const { stdout, exitCode } = await place.landfall(['clean'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`of run ${run}`)
    expect(await thingsOf(run)).toEqual([])
    const finished = await living
    expect(finished.exitCode).toBe(0)
    expect(stdout).not.toContain(runIdOf(finished.stderr))
  })
})
