import type { LiveEvent, LiveObservation } from '@landfall/contracts'
import type { WatchedDecoy } from './decoy-watch.ts'
import type { Subject } from './fleeting.ts'
import type { LiveLimits } from './limits.ts'
import type { Root } from './places.ts'
import type { LiveSoFar, Standing } from './witness.ts'

/** What the observer and its watching thread say to each other. `id` tells one watched trial from the next. */
export type Command =
  | {
      readonly type: 'begin'
      readonly id: number
      /** Descriptors, which all threads of a process share. They are the thread's to close. */
      readonly roots: readonly Root[]
      readonly points: ReadonlySet<string>
      readonly subject: Subject
      readonly limits: LiveLimits
      /** When the observation began, on the clock of `process.hrtime`. */
      readonly beganNs: bigint
    }
  | { readonly type: 'arm'; readonly id: number; readonly decoys: readonly WatchedDecoy[] }
  | { readonly type: 'own'; readonly id: number; readonly reading: boolean; readonly readDecoys?: boolean }
  | { readonly type: 'stop'; readonly id: number }
  | { readonly type: 'drop'; readonly id: number }

export type Answer =
  /** The command of this type was carried out. */
  | { readonly type: 'done'; readonly id: number; readonly what: 'begin' | 'arm' }
  | { readonly type: 'owned'; readonly id: number; readonly soFar: LiveSoFar }
  | { readonly type: 'events'; readonly id: number; readonly events: readonly LiveEvent[]; readonly dropped: number }
  | { readonly type: 'result'; readonly id: number; readonly result: WatchResult }
  /** The trial cannot be watched any further. */
  | { readonly type: 'failed'; readonly id: number; readonly detail: string }

export interface WatchResult {
  readonly live: Omit<LiveObservation, 'monotonicNs'>
  /** Undefined when there was too much to hand over. */
  readonly standing: Standing | undefined
}

export interface ThreadData {
  /** Descriptor that becomes readable when there is a command. */
  readonly bell: number
  /** One 64-bit number: when the thread last showed that it lives, on the clock of `process.hrtime`. */
  readonly heartbeat: SharedArrayBuffer
}
