import { linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Observation as Seen, ObservationRequest } from '@landfall/contracts'
import { deriveToken, LiveObservation, Observation } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { defaultLimits } from '../limits.ts'
import { ObservationRegistry } from '../registry.ts'
import { Tree } from '../testing/tree.ts'
import { defaultLiveLimits } from './limits.ts'
import type { LiveWatchOptions } from './live-watch.ts'
import { LiveWatch } from './live-watch.ts'

const token = deriveToken('canary', 'fix', 'site')
const decoyToken = deriveToken('canary', 'decoys', 'key')
const request: ObservationRequest = {
  trial: 't1',
  marker: 't1',
  tokens: [{ token, fixture: 'fix', site: 'site' }],
  decoys: [{ name: 'key', path: '/decoy', token: decoyToken }],
}

/** A whole trial over a tree with a decoy in it, watched by a thread as in the observer. */
async function observe(act: (tree: Tree, watch: LiveWatch) => unknown, options: LiveWatchOptions = {}): Promise<Seen> {
  using tree = new Tree()
  tree.write('decoy', decoyToken)
  using watch = new LiveWatch(options)
  using registry = new ObservationRegistry({
    clock: systemClock,
    limits: defaultLimits,
    hold: () => Promise.resolve(tree.hold()),
    live: watch,
    events: { begun: () => undefined, ended: () => undefined, dropped: () => undefined },
  })
  await registry.begin(request)
  await act(tree, watch)
  return Observation.parse(await registry.end('t1', { deliveries: [] }))
}

/** A thread is started for each, which takes its time on a busy machine. */
const slow = { timeout: 60_000 }

const losses = (seen: Seen): string[] => seen.live.losses.map(({ kind }) => kind)
const told = ({ live }: Seen): string[] => live.events.map(({ kind, path }) => `${kind} ${path}`)

describe('live events of a trial', slow, () => {
  it('tell nothing, and miss nothing, when nothing happens', async () => {
    const { live } = await observe(() => undefined)
    expect(live).toMatchObject({
      events: [],
      decoyReads: [],
      transient: [],
      losses: [],
      counts: { raw: 0, watches: 1 },
    })
    expect(BigInt(live.monotonicNs)).toBeGreaterThan(0n)
  })

  it('come in order, with what existed only for a moment', async () => {
    const seen = await observe(async (tree) => {
      tree.write('a', token)
      await sleep(50)
      rmSync(tree.at('a'))
      tree.write('b')
    })
    expect(told(seen)).toEqual(['created /a', 'written /a', 'deleted /a', 'created /b'])
    expect(seen.live.transient).toMatchObject([{ path: '/a', type: 'file' }])
    expect(seen.live.transientSightings).toEqual([{ fixture: 'fix', site: 'site', path: '/a', place: 'content' }])
    expect(losses(seen)).toEqual([])
  })

  it("count a victim's reads of a decoy, and none of the observer's own", async () => {
    expect((await observe(() => undefined)).live.decoyReads).toEqual([])
    const seen = await observe((tree) => readFileSync(tree.at('decoy')))
    expect(seen.live.decoyReads).toMatchObject([{ decoy: 'key', path: '/decoy', by: 'read' }])
    // A changed decoy is read by the manifest at the end.
    const changed = await observe((tree) => writeFileSync(tree.at('decoy'), 'x'))
    expect(changed.decoys).toMatchObject([{ state: 'changed' }])
    expect(changed.live.decoyReads).toEqual([])
  })

  it.each<[string, (tree: Tree) => void]>([
    ['a hard link', (tree) => linkSync(tree.at('decoy'), tree.at('x'))],
    ['a symbolic link', (tree) => symlinkSync('decoy', tree.at('x'))],
  ])('see a decoy read through %s that is gone again', async (_, link) => {
    const seen = await observe((tree) => {
      link(tree)
      readFileSync(tree.at('x'))
      rmSync(tree.at('x'))
    })
    expect(seen.live.decoyReads).toMatchObject([{ decoy: 'key', by: 'read' }])
    expect(seen.live.transient).toMatchObject([{ path: '/x' }])
  })

  it('hand some of themselves on as they come, and count the rest', async () => {
    const came: string[] = []
    let dropped = 0
    await observe(
      async (tree) => {
        for (let index = 0; index < 200; index += 1) tree.write(`f${index}`)
        await sleep(400)
      },
      {
        onEvents: (trial, events, more) => {
          came.push(...events.map(({ path }) => `${trial} ${path}`))
          dropped += more
        },
      },
    )
    expect(came).toContain('t1 /f0')
    expect(came.length + dropped).toBeGreaterThanOrEqual(200)
  })
})

describe('what live events may have missed', () => {
  it('is said when the watching thread dies, and the rest is watched by another', slow, async () => {
    const came = new Set<string>()
    const seen = await observe(
      async (tree, watch) => {
        tree.write('before')
        await watch.kill()
        while (!came.has('/after')) {
          rmSync(tree.at('after'), { force: true })
          tree.write('after')
          await sleep(50)
        }
      },
      { onEvents: (_, events) => events.forEach(({ path }) => came.add(path)) },
    )
    expect(losses(seen).toSorted()).toEqual(['restart', 'watcher'])
    expect(told(seen)).toContain('created /after')
  })

  it('is said when it dies again and again, and the trial still ends', slow, async () => {
    const seen = await observe(async (_, watch) => {
      await watch.kill()
      await sleep(300)
      await watch.kill()
    })
    expect(losses(seen)).toContain('watcher')
    expect(LiveObservation.parse(seen.live).losses.length).toBeGreaterThanOrEqual(3)
  })

  it('is said when there are more directories than may be watched', slow, async () => {
    const seen = await observe((tree) => tree.write('a/b/c/d/x'), { limits: { ...defaultLiveLimits, watches: 3 } })
    expect(losses(seen)).toContain('watch-limit')
  })
})
