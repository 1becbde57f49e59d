import type { Outcome } from '@landfall/contracts'

/** An outcome and the one sentence that says why, naming the evidence. */
export interface Decision {
  readonly outcome: Outcome
  readonly reason: string
}

/**
 * The words in brackets after `inconclusive`: what kept the lab from telling. docs/results.md explains each to people,
 * and a test holds that list against this one.
 */
export const inconclusiveReasons = [
  'access-log',
  'agent',
  'blind',
  'contaminated',
  'crash',
  'digest',
  'evidence-disk',
  'fetch',
  'host-missing',
  'killed',
  'lab',
  'lost-events',
  'not-installed',
  'observer',
  'sinkhole',
  'timeout',
  'witnesses',
] as const
export type InconclusiveReason = (typeof inconclusiveReasons)[number]

export const inconclusive = (why: InconclusiveReason, sentence: string): Decision => ({
  outcome: 'inconclusive',
  reason: `inconclusive(${why}): ${sentence}.`,
})
