import type { ObservationRequest } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Clock } from './clock.ts'
import { systemClock } from './clock.ts'
import type { HeldRoot } from './held.ts'
import { defaultLimits } from './limits.ts'
import { ObservationRegistry } from './registry.ts'
import { Tree } from './testing/tree.ts'

const request = (trial: string): ObservationRequest => ({ trial, marker: trial, tokens: [], decoys: [] })
const code = (error: unknown): string => (error instanceof LandfallError ? error.code : String(error))
const failure = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'none', code)

/** A registry over one tree that counts what is held and released, with a `hold` that can be made to wait. */
class Scene implements Disposable {
  readonly tree = new Tree()
  readonly told: string[] = []
  held = 0
  wait: Promise<void> = Promise.resolve()
  readonly registry: ObservationRegistry

  constructor(clock: Clock = systemClock) {
    this.registry = new ObservationRegistry({
      clock,
      limits: defaultLimits,
      forgetAfterMs: 1_000,
      hold: async () => {
        await this.wait
        return this.counted(this.tree.hold())
      },
      events: {
        begun: ({ trial }) => this.told.push(`begun ${trial}`),
        ended: ({ trial }) => this.told.push(`ended ${trial}`),
        dropped: (trial, why) => this.told.push(`${why} ${trial}`),
      },
    })
  }

  counted(held: HeldRoot): HeldRoot {
    this.held += 1
    return {
      ...held,
      [Symbol.dispose]: () => {
        this.held -= 1
        held[Symbol.dispose]()
      },
    }
  }

  [Symbol.dispose](): void {
    this.registry[Symbol.dispose]()
    this.tree[Symbol.dispose]()
  }
}

describe('ObservationRegistry', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('observes one trial from begin to end and holds nothing afterwards', async () => {
    using scene = new Scene()
    const started = await scene.registry.begin(request('t1'))
    expect(started).toMatchObject({ trial: 't1', entries: 1 })
    expect(scene.held).toBe(1)
    scene.tree.write('x')
    const seen = await scene.registry.end('t1', { deliveries: [] })
    expect(seen.changes.map(({ path }) => path)).toEqual(['/', '/x'])
    expect(scene.held).toBe(0)
    expect(scene.told).toEqual(['begun t1', 'ended t1'])
  })

  it('refuses a second trial, also one that comes while the first is being looked for', async () => {
    using scene = new Scene()
    let go = (): void => undefined
    scene.wait = new Promise((done) => {
      go = done
    })
    const first = scene.registry.begin(request('t1'))
    expect(await failure(scene.registry.begin(request('t2')))).toBe('conflict')
    go()
    await first
    expect(await failure(scene.registry.begin(request('t2')))).toBe('conflict')
    expect(await failure(scene.registry.end('t2', { deliveries: [] }))).toBe('unknown')
    await scene.registry.end('t1', { deliveries: [] })
    await scene.registry.begin(request('t2'))
    expect(scene.told).toEqual(['begun t1', 'ended t1', 'begun t2'])
  })

  it('is free again when the victim is not found', async () => {
    using scene = new Scene()
    scene.wait = Promise.reject(new LandfallError('unknown', 'none'))
    expect(await failure(scene.registry.begin(request('t1')))).toBe('unknown')
    scene.wait = Promise.resolve()
    await scene.registry.begin(request('t1'))
    expect(scene.held).toBe(1)
  })

  it('releases what is found for a trial that was abandoned meanwhile, even if it began anew', async () => {
    using scene = new Scene()
    let go = (): void => undefined
    scene.wait = new Promise((done) => {
      go = done
    })
    const first = failure(scene.registry.begin(request('t1')))
    scene.registry.abandon('t1')
    scene.wait = Promise.resolve()
    await scene.registry.begin(request('t1'))
    go()
    expect(await first).toBe('interrupted')
    expect(scene.held).toBe(1)
    await scene.registry.end('t1', { deliveries: [] })
    expect(scene.held).toBe(0)
  })

  it('forgets a trial that nobody ends', async () => {
    using scene = new Scene()
    await scene.registry.begin(request('t1'))
    vi.advanceTimersByTime(999)
    expect(scene.held).toBe(1)
    vi.advanceTimersByTime(1)
    expect(scene.held).toBe(0)
    expect(scene.told).toEqual(['begun t1', 'forgotten t1'])
    expect(() => scene.registry.abandon('t1')).toThrow('not being observed')
  })

  it('ends a trial once, and holds nothing when it is dropped in the middle of that', async () => {
    // Every look at the clock is a slice later, so that the walk pauses wherever it may.
    let now = 0
    using scene = new Scene({ now: () => new Date(0), elapsed: () => (now += 50) })
    for (let index = 0; index < 300; index += 1) scene.tree.write(`f${index}`)
    await scene.registry.begin(request('t1'))
    const first = failure(scene.registry.end('t1', { deliveries: [] }))
    expect(await failure(scene.registry.end('t1', { deliveries: [] }))).toBe('conflict')
    scene.registry.abandon('t1')
    await scene.registry.begin(request('t2'))
    expect(await first).toBe('interrupted')
    expect(scene.held).toBe(1)
    expect((await scene.registry.end('t2', { deliveries: [] })).changes).toEqual([])
    expect(scene.held).toBe(0)
    expect(scene.told).toEqual(['begun t1', 'abandoned t1', 'begun t2', 'ended t2'])
  })
})
