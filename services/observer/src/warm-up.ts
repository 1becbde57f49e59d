import { BlindSpots } from './blindness.ts'
import type { ObservationDependencies } from './capture.ts'
import { captureBefore, deadline } from './capture.ts'
import { compare } from './compare.ts'
import { holdDirectory } from './hold.ts'
import type { LiveWitness } from './live/witness.ts'
import { atOnce } from './steps.ts'

/** As many entries as a small victim has; the observer's own image may be any. */
const enough = 6_000

/**
 * Walks the observer's own root twice, so that the first trial meets compiled code: measured, a first walk
 * of 5,700 entries takes 250 ms and a third one 47 ms.
 */
export async function warmUp({ clock, limits: usual }: ObservationDependencies, live: LiveWitness): Promise<void> {
  const limits = { ...usual, entries: enough }
  const dependencies = { clock, limits }
  using held = holdDirectory('/', process.pid)
  if (held === undefined) return
  const watched = live.begin(held, { trial: 'warm-up', tokens: [], decoys: [] })
  const { manifest } = atOnce(captureBefore(held, [], new BlindSpots(), dependencies))
  const options = { limits, blind: new BlindSpots(), expired: deadline(clock, limits) }
  atOnce(compare(held, manifest, { tokens: new Map(), decoys: [] }, options))
  await watched.arm([])
  await watched.stop()
}
