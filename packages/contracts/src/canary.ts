import { createHmac } from 'node:crypto'

/**
 * Canaries: the unguessable tokens that every payload carries.
 *
 * A trial has one secret, the canary. Each site of a fixture gets a token derived from it, so that finding
 * a token says which trial wrote it and which part of the payload it was. The prefix only makes the search
 * fast; a token counts when its 32 hex digits are one of this trial's.
 */

export const tokenPrefix = 'LFC-'
const tokenHexLength = 32

/** Matches any lab token, of whatever trial, in text. */
export const tokenPattern = /LFC-[0-9a-f]{32}/g

/** Bytes in a token, as ASCII: 36. */
export const tokenLength = tokenPrefix.length + tokenHexLength

/** The canary of a trial: 64 hex digits from the run's seed and the trial's id, so that a run can be repeated. */
export function deriveCanary(seed: string, trial: string): string {
  return createHmac('sha256', `landfall:${seed}`).update(trial).digest('hex')
}

/** The token of one site of one fixture in the trial that holds `canary`: `LFC-` and 32 hex digits. */
export function deriveToken(canary: string, fixture: string, site: string): string {
  const hex = createHmac('sha256', canary).update(`${fixture}\n${site}`).digest('hex')
  return tokenPrefix + hex.slice(0, tokenHexLength)
}
