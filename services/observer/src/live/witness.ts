import type { LiveObservation, ObservationRequest } from '@landfall/contracts'
import type { CapturedDecoy } from '../decoy-tracker.ts'
import type { HeldRoot } from '../held.ts'

/** Witness W3 as the rest of the observer knows it. What stands behind it is a thread of its own. */
export interface LiveWitness {
  /** Begins to watch; returns at once. One trial at a time: an earlier one is dropped. */
  readonly begin: (held: HeldRoot, request: Pick<ObservationRequest, 'trial' | 'tokens' | 'decoys'>) => LiveTrial
}

/** One watched trial. Disposing of it ends the watching without an answer. */
export interface LiveTrial extends Disposable {
  /** Watches the decoys too, and resolves when every watch stands. A failure is a loss in the answer, never a rejection. */
  readonly arm: (decoys: readonly CapturedDecoy[]) => Promise<void>
  /**
   * The observer is about to read content while the trial goes on, or has done so; `readDecoys` when a decoy may have
   * been among it, and then no read of a decoy in between is counted. Answers what is known by now.
   */
  readonly own: (reading: boolean, readDecoys?: boolean) => Promise<LiveSoFar | undefined>
  /** Takes in what the kernel still has queued, and ends. Never waits for ever, and never rejects. */
  readonly stop: () => Promise<LiveEnd>
}

/** What can be said while the trial goes on. */
export type LiveSoFar = Pick<LiveObservation, 'decoyReads' | 'transientCopies' | 'losses'>

export interface LiveEnd {
  readonly live: LiveObservation
  /** Undefined when that is not known. */
  readonly standing: Standing | undefined
}

/** What appeared and was still there at the end. Paths are bytes in latin1. */
export interface Standing {
  readonly paths: readonly string[]
  /** Those of them that are older directories under a new name: what is below them is not new, and not listed. */
  readonly moved: readonly string[]
  /** When that was, in milliseconds since 1970. */
  readonly atMs: number
}
