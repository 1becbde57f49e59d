import type { LiveLoss, LiveObservation, Observation } from '@landfall/contracts'
import { fromWirePath } from '@landfall/contracts'
import type { LiveEnd } from './witness.ts'

/**
 * Holds W3 against W1: whatever is new in the end must have been seen to appear. Where it was not, live events were
 * lost without anybody having noticed, which is said as a loss of its own. Pure.
 */
const listed = 20
/** File systems date in steps of the kernel's tick. */
const tickMs = 10

export function withUnseen({ live, standing }: LiveEnd, changes: Observation['changes']): LiveObservation {
  if (standing === undefined) return live
  const known = new Set(standing.paths)
  const unseen = changes.filter(({ kind, path, after }) => {
    if (kind !== 'added' || after === undefined) return false
    // What came after the end of the live events could not be seen by them.
    if (Number(BigInt(after.ctimeNs) / 1_000n) / 1_000 >= standing.atMs - tickMs) return false
    const key = fromWirePath(path).toString('latin1')
    return !known.has(key) && !standing.moved.some((above) => key.startsWith(`${above}/`))
  })
  if (unseen.length === 0) return live
  const losses = unseen.slice(0, listed).map(({ path }): LiveLoss => {
    return { kind: 'watcher', path, detail: 'W1 found this, and no live event told of it' }
  })
  const counts = { ...live.counts.losses, watcher: (live.counts.losses.watcher ?? 0) + unseen.length }
  return { ...live, losses: [...live.losses, ...losses], counts: { ...live.counts, losses: counts } }
}
