import { describe, expect, it } from 'vitest'
import type { Steps } from './steps.ts'
import { atOnce, inSlices } from './steps.ts'

/** Counts to ten; each step takes 30 ms of the given clock. */
function scene() {
  let now = 0
  const state = { closed: false, turns: 0 }
  const clock = { now: () => new Date(now), elapsed: () => now }
  function* count(): Steps<number> {
    try {
      for (let step = 0; step < 10; step += 1) {
        now += 30
        yield
      }
      return 10
    } finally {
      state.closed = true
    }
  }
  return { clock, state, count }
}

describe('steps', () => {
  it('come to the same end at once and in slices', async () => {
    expect(atOnce(scene().count())).toBe(10)
    const { clock, count } = scene()
    expect(await inSlices(count(), clock)).toBe(10)
  })

  it('let others run in between', async () => {
    const { clock, count, state } = scene()
    const timer = setInterval(() => (state.turns += 1))
    const other = setImmediate(function again() {
      state.turns += 1
      if (!state.closed) setImmediate(again)
    })
    await inSlices(count(), clock)
    clearInterval(timer)
    clearImmediate(other)
    expect(state.turns).toBeGreaterThanOrEqual(4)
  })

  it('are closed when they are stopped', async () => {
    const { clock, count, state } = scene()
    const stop = new AbortController()
    const done = inSlices(count(), clock, stop.signal)
    stop.abort(new Error('enough'))
    await expect(done).rejects.toThrow('enough')
    expect(state.closed).toBe(true)
  })
})
