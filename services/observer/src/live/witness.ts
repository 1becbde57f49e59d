import type { LiveObservation, ObservationRequest } from '@landfall/contracts'
import type { CapturedDecoy } from '../decoy-tracker.ts'
import type { HeldRoot } from '../held.ts'

/** Witness W3 as the rest of the observer knows it. What stands behind it is a thread of its own. */
export interface LiveWitness {
  /** Begins to watch; returns at once. */
  readonly begin: (held: HeldRoot, request: Pick<ObservationRequest, 'trial' | 'tokens' | 'decoys'>) => LiveTrial
}

/** One watched trial. Disposing of it ends the watching without an answer. */
export interface LiveTrial extends Disposable {
  /** Watches the decoys too, and resolves when every watch stands. A failure is a loss in the answer, never a rejection. */
  readonly arm: (decoys: readonly CapturedDecoy[]) => Promise<void>
  /** Takes in what the kernel still has queued, and ends. Never waits for ever, and never rejects. */
  readonly stop: () => Promise<LiveObservation>
}
