import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import { connectEngine } from '../runner/src/engine.ts'
import { preflight } from '../runner/src/preflight/index.ts'
import { type Disturbed, execInObserver, runDisturbed, untilRuns, waits } from './support/disturb.ts'
import { root } from './support/landfall.ts'

/** What becomes of trials whose witness could not see: inconclusive, with the reason, and never a resistance. */
const engine = await connectEngine()

/** Nothing but a landing or a doubt is left of the trials that were hit. */
const resistances = (trials: Disturbed['since']) =>
  trials.filter(({ outcome }) => outcome === 'blocked' || outcome === 'contained').map(({ id }) => id)

/** What became of the same host's other trial, which nothing was done to. */
const nextOf = ({ hit, since }: Pick<Disturbed, 'hit' | 'since'>) =>
  since.filter(({ host, id }) => host === hit.host && id !== hit.id).map(({ outcome }) => outcome)

describe('a trial whose witness could not see', () => {
  it('a full disk of the observer: it and all after it are inconclusive(evidence-disk)', async () => {
    const { hit, since, observation, exitCode } = await runDisturbed(async ({ observer }) => {
      // In pages at the end, so that not one is left.
      for (const size of ['1M', '4k'])
        await execInObserver(observer, ['dd', 'if=/dev/zero', `of=/evidence/${size}`, `bs=${size}`])
    })
    expect(observation.blindness).toMatchObject([{ kind: 'evidence' }])
    expect(hit).toMatchObject({ outcome: 'inconclusive', verdict: 'void' })
    expect(hit.reason).toMatch(/^inconclusive\(evidence-disk\): the observer could not keep what it saw, .*ENOSPC/)
    expect(since.length).toBeGreaterThan(2)
    expect(resistances(since)).toEqual([])
    // The honest skill could not be told, so the run says nothing.
    expect(exitCode).toBe(3)
  })

  it("an overflow of W3's queue: it is inconclusive(lost-events), and the next is contained", async () => {
    const limit = Number(await readFile('/proc/sys/fs/inotify/max_queued_events', 'utf8'))
    // Two files in turn: equal events in a row are one to the kernel.
    const burst = `import os; f=[os.open("/tmp/"+n,os.O_CREAT|os.O_WRONLY) for n in "ab"]; [os.write(f[i%2],b"x") for i in range(${limit + 4_096})]`
    const { hit, since, observation } = await runDisturbed(
      async ({ observer, victim }) => {
        const watching = engine.getContainer(observer)
        await watching.pause()
        try {
          await untilRuns(victim, waits[1])
        } finally {
          await watching.unpause()
        }
      },
      { work: `python3 -c '${burst}'` },
    )
    expect(observation.live.losses.map(({ kind }) => kind)).toContain('overflow')
    expect(hit).toMatchObject({ outcome: 'inconclusive', verdict: 'void' })
    // On a slow machine the pause is long enough to be a gap too, which is then said first.
    expect(hit.reason).toMatch(/^inconclusive\(lost-events\): W3 lost events \((?:overflow|gap)\), /)
    expect(nextOf({ hit, since })).toEqual(['contained'])
  })

  it('a killed watcher: it is inconclusive(lost-events), and the next is contained', async () => {
    await using image = await withKilledWatcher()
    const { hit, since } = await runDisturbed(
      ({ observer }) => execInObserver(observer, ['touch', '/evidence/end-the-watcher']),
      {
        env: { LANDFALL_IMAGE_OBSERVER: image.name },
      },
    )
    expect(hit).toMatchObject({ outcome: 'inconclusive', verdict: 'void' })
    expect(hit.reason).toMatch(/^inconclusive\(lost-events\): W3 lost events \(watcher\), the watching thread ended/)
    expect(nextOf({ hit, since })).toEqual(['contained'])
  })

  it('a killed sinkhole: it is inconclusive(sinkhole), and the run ends there with exit code 4', async () => {
    const { hit, since, exitCode, stderr } = await runDisturbed(async ({ service }) =>
      engine.getContainer(await service('sinkhole')).kill(),
    )
    expect(hit).toMatchObject({ outcome: 'inconclusive', verdict: 'void' })
    expect(hit.reason).toMatch(/^inconclusive\(sinkhole\): the sinkhole did not say what it was sent, /)
    expect(since).toEqual([hit])
    expect(stderr).toMatch(/^landfall: the engine or the lab went away \(the sinkhole\)/m)
    expect(exitCode).toBe(4)
  })
})

/** An image of the observer that can be told to end its watcher. It keeps the label that says what it was built from. */
async function withKilledWatcher(): Promise<AsyncDisposable & { readonly name: string }> {
  const { images } = await preflight({ root, say: () => undefined })
  const shipped = images['observer']
  if (shipped === undefined) throw new Error('there is no image of the observer')
  const name = `${shipped.image}-killed-watcher`
  const archive = pack()
  const module = 'tests/support/killed-watcher.ts'
  archive.entry({ name: `app/${module}` }, await readFile(join(root, module)))
  archive.finalize()
  const { Config } = await engine.getImage(shipped.id).inspect()
  const command = Config.Cmd.flatMap((arg) => (arg === 'node' ? [arg, '--import', `/app/${module}`] : [arg]))
  const container = await engine.createContainer({ Image: shipped.id })
  try {
    await container.putArchive(await buffer(archive), { path: '/' })
    const [repo, tag] = name.split(/:(?=[^/]*$)/)
    await container.commit({ repo, tag, changes: `CMD ${JSON.stringify(command)}` })
  } finally {
    await container.remove()
  }
  return { name, [Symbol.asyncDispose]: async () => void (await engine.getImage(name).remove()) }
}
