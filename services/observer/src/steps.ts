import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from './clock.ts'

/**
 * Work that is done in small steps, so that a victim with much to look at does not keep the observer from
 * answering: a generator that yields where it may be paused.
 */
export type Steps<T> = Generator<undefined, T>

/** How long the event loop waits at most, in milliseconds, as far as the steps are short. */
const sliceMs = 40

/** Does all of it at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Does it slice by slice. When `signal` aborts, what the work holds is released and the signal's reason thrown. */
export async function inSlices<T>(steps: Steps<T>, clock: Clock, signal?: AbortSignal): Promise<T> {
  using work = steps
  for (let from = clock.elapsed(); ;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (clock.elapsed() - from < sliceMs) continue
    await turn()
    signal?.throwIfAborted()
    from = clock.elapsed()
  }
}
