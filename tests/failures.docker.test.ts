import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { labels } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { connectEngine } from '../runner/src/engine.ts'
import { type Running, runIdOf, untilPrinted, Workplace } from './support/landfall.ts'
import { thingsOf } from './support/things.ts'

/** What becomes of trials when a part of the lab goes away under them: inconclusive, with the reason, and nothing else. */
const slow = 'id: slow\ntitle: Slow\nkind: extractor\nchannels: [archive-file]\nversion: [sh, -c, echo 1]\ninstall:\n'
const engine = await connectEngine()

async function hostsWithSlow(place: Workplace): Promise<string> {
  const hosts = await place.copyHosts()
  await writeFile(join(hosts, 'slow.yaml'), `${slow}  - { format: zip, run: [sleep, '8'] }\n`)
  return hosts
}

/** The run's id, once its lab is ready. */
async function readyRun(child: Running): Promise<string> {
  let text = ''
  child.all?.on('data', (data: Buffer) => (text += data.toString()))
  await untilPrinted(child, /^Lab ready/)
  return runIdOf(text)
}

/** Only of this run: another checkout on the same engine may run the same test. */
const containersOf = async (run: string) =>
  await engine.listContainers({ filters: { label: [`${labels.run}=${run}`] } })

async function observersOf(run: string): Promise<string[]> {
  const found = await containersOf(run)
  return found.flatMap(({ Id, Labels }) => (Labels['com.docker.compose.service'] === 'observer' ? [Id] : []))
}

/** The PID namespace owner of the victim that runs the slow host, once there is one. */
async function observerOfSlowTrial(run: string): Promise<string> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const victim = (await containersOf(run)).find(({ Labels }) => Labels[labels.trial]?.includes('.slow.') === true)
    if (victim !== undefined) {
      const { HostConfig } = await engine.getContainer(victim.Id).inspect()
      return HostConfig.PidMode?.replace(/^container:/, '') ?? ''
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('no trial of the slow host began')
}

describe('a part of the lab that goes away in the middle of a trial', () => {
  it('an observer: its trial is inconclusive and says so, and the others go on with those that are left', async () => {
    await using place = await Workplace.create()
    const hosts = await hostsWithSlow(place)
    const args = ['--fixtures', 'adv-zip-traversal', '--hosts', 'slow', '--hosts-dir', hosts, '--jobs', '2']
    const child = place.run(args)
    await engine.getContainer(await observerOfSlowTrial(await readyRun(child))).kill()
    const { exitCode, all } = await child
    const { trials, run } = await place.readResults()
    const affected = trials.filter(({ reason }) => reason.startsWith('inconclusive(observer): the observer went away'))
    expect(
      affected.map(({ host, verdict }) => [host, verdict]),
      all,
    ).toEqual([['slow', 'void']])
    expect(trials.filter(({ host, outcome }) => host === 'naive' && outcome === 'inconclusive')).toEqual([])
    // The benign skill on the slow host may be the one that was hit, which voids the run.
    expect([0, 3]).toContain(exitCode)
    expect(await thingsOf(run.id)).toEqual([])
  })

  it('every observer: the run ends with exit code 4, says what is gone, and can go on', async () => {
    await using place = await Workplace.create()
    const hosts = await hostsWithSlow(place)
    const child = place.run(['--fixtures', 'adv-zip-traversal', '--hosts', 'slow', '--hosts-dir', hosts, '--jobs', '1'])
    const [observer = ''] = await observersOf(await readyRun(child))
    await engine.getContainer(observer).kill()
    const { exitCode, stderr } = await child
    expect(stderr).toMatch(/^landfall: the engine or the lab went away \(every observer\); go on with: /m)
    expect(exitCode).toBe(4)
    const run = runIdOf(stderr)
    const lines = await place.readLines(run)
    expect(lines.filter(({ evidence }) => evidence === '').every(({ outcome }) => outcome !== 'blocked')).toBe(true)
    expect(await thingsOf(run)).toEqual([])
  })
})
