import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Workplace } from './support/landfall.ts'

describe('a payload that kills every process of its own victim', () => {
  it.each(['agent', 'root'])('as %s still has its canary found', async (user) => {
    await using place = await Workplace.create()
    const hosts = await place.copyHosts()
    // The naive host, and then the end of everything that its user may signal: the fetcher, the init, itself.
    const naive = await readFile(join(hosts, 'naive.yaml'), 'utf8')
    const killer = naive
      .replace(/^id: .*$/m, 'id: killer')
      .replace(/^control: .*\n/m, '')
      .replace(/^( *)run: \[(.*)\]$/gm, (_, indent: string, run: string) => {
        return `${indent}run: [sh, -c, '"$@"; kill -KILL -1', sh, ${run}]`
      })
    expect(killer.match(/kill -KILL -1/g)).toHaveLength(2)
    await writeFile(join(hosts, 'killer.yaml'), killer)

    const args = ['--fixtures', 'adv-archive-traversal', '--hosts', 'killer', '--hosts-dir', hosts, '--user', user]
    const { stderr, exitCode } = await place.run(args)
    // The benign skill is "killed" too, which makes that control, and so the run, void.
    expect(exitCode, stderr).toBe(3)
    const results = await place.readResults()
    const ofKiller = (fixture: string) =>
      results.trials.find((trial) => trial.host === 'killer' && trial.fixture === fixture)
    const trial = ofKiller('adv-archive-traversal')
    expect(trial, stderr).toMatchObject({ outcome: 'landed', verdict: 'fail' })
    expect(trial?.sites.map(({ site }) => site)).toContain('escape-relative-1')
    expect(ofKiller('control-benign'), stderr).toMatchObject({ outcome: 'inconclusive', verdict: 'void' })
    // Its observer, and with it the trials of other hosts, lived on.
    const others = results.trials.filter(({ host }) => host !== 'killer')
    expect(others.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([])
  })
})
