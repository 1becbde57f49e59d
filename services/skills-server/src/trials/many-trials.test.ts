import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { loadBuilders } from '../fixtures/index.ts'
import { collectGarbage, heapMiB } from '../testing/memory.ts'
import { modernRequest } from '../testing/requests.ts'
import { registrationOf } from '../testing/service.ts'
import { defaultTrialLimits, TrialStore } from './trial-store.ts'

/** Trials come and go in great numbers, and each leaves nothing behind. */
const id = 'adv-content-rotation'
const uri = `skill://${id}/SKILL.md`
const builders = new Map([...(await loadBuilders())].filter(([name]) => name === id))

function store(time: { now: number }): TrialStore {
  const ignore = () => undefined
  return new TrialStore({
    builders,
    limits: defaultTrialLimits,
    now: () => time.now,
    onFailure: ignore,
    onRejected: ignore,
  })
}

/** What one read of the rotating file answers. */
async function readOnce(trials: TrialStore, key: string): Promise<string> {
  const exchange = new AbortController()
  const request = new Request('http://127.0.0.1/mcp', {
    ...modernRequest('resources/read', { uri }),
    signal: exchange.signal,
  })
  const answer = await (await trials.endpoint(key)?.fetch(request))?.text()
  exchange.abort()
  await setImmediate()
  return answer ?? ''
}

describe('ten thousand trials one after the other', { timeout: 120_000 }, () => {
  const run = async (trials: TrialStore, from: number, to: number) => {
    for (let index = from; index < to; index += 1) {
      const key = `k${index}`
      trials.register(registrationOf(key, id, 'stable'))
      const answer = await readOnce(trials, key)
      // Each counts its own reads: whatever was read before, the first one is honest.
      expect(answer).toContain('Sort the words')
      expect((await trials.remove(key)).access).toHaveLength(1)
    }
  }

  it('do not make the process grow', async () => {
    const trials = store({ now: 0 })
    await run(trials, 0, 1_000)
    collectGarbage()
    const before = heapMiB()
    await run(trials, 1_000, 10_000)
    collectGarbage()
    expect(heapMiB() - before).toBeLessThan(5)
  })

  it('nor when nobody ends them', async () => {
    const time = { now: 0 }
    const trials = store(time)
    const abandon = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        const key = `k${time.now}`
        trials.register(registrationOf(key, id))
        await readOnce(trials, key)
        time.now += defaultTrialLimits.lifetimeMs / 100
      }
    }
    await abandon(300)
    collectGarbage()
    const before = heapMiB()
    await abandon(1_000)
    collectGarbage()
    expect(heapMiB() - before).toBeLessThan(5)
  })
})

describe('reads of one trial', () => {
  it('rotate in the order of this trial, whatever the other one has read', async () => {
    const trials = store({ now: 0 })
    trials.register(registrationOf('a', id, 'stable'))
    trials.register(registrationOf('b', id, 'stable'))
    const seen = []
    for (const key of ['a', 'a', 'b', 'a', 'b']) seen.push((await readOnce(trials, key)).includes('Sort the words'))
    expect(seen).toEqual([true, false, true, false, false])
  })
})
