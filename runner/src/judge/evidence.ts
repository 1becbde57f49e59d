import type { FixtureRow } from '@landfall/catalog'
import type { AccessEntry, Observation, Revision, SinkholeRecord, UseReport } from '@landfall/contracts'
import type { Disagreement } from '../witness-engine.ts'

/** What a trial is judged by. Values alone: whatever read files, clocks or sockets has done so before. */
export interface TrialEvidence {
  readonly fixture: FixtureRow
  readonly revision: Revision
  /** Directories that belong to the fixture's skills. */
  readonly skillDirectories: readonly string[]
  /** Where a host keeps skills apart from their bare names. */
  readonly keptElsewhere?: readonly string[]
  readonly install: StepEnd
  /** Present when an agent was to use the skill after the host had accepted it. */
  readonly use?: UseEnd
  /** Witnesses W1 and W3. */
  readonly observation: Observation
  readonly access: readonly AccessEntry[]
  /** Entries that the access log could not keep. */
  readonly droppedAccess?: number
  /** What the outside world was sent; absent when the lab had none. */
  readonly sinkhole?: SinkholeRecord | SinkholeGone
  /** Where W1 and the engine disagree, if both were asked. */
  readonly disagreements?: readonly Disagreement[]
}

/** The sinkhole did not answer when it was asked what it had seen. */
export interface SinkholeGone {
  readonly gone: string
}

/** How a step ended: `exitCode` is null when the step was killed by the runner at its limit. */
export interface StepEnd {
  readonly name: string
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly limitSeconds: number
  /** The host's own limit for one command, which it reports by an exit code. */
  readonly commandLimitSeconds: number
}

/** How the use of a skill ended. It is the end of the same command, so its exit code is the installation's. */
export interface UseEnd {
  readonly limitSeconds: number
  /** Absent when the agent did not come to its end. */
  readonly report?: UseReport
}
