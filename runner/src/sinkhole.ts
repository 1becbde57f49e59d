import { decoyTokens, fixtureTokens, remoteAnswers } from '@landfall/catalog'
import { SinkholeRecord, type SinkholeRegistration } from '@landfall/contracts'
import { messageOf } from './engine.ts'
import { requestJson } from './http-client.ts'
import type { SinkholeGone } from './judge/evidence.ts'
import type { PlannedTrial } from './plan.ts'

/** The runner's side of the sinkhole: a trial is registered before its victim starts, and its record is the last thing. */
export async function registerWithSinkhole(
  url: string,
  { fixture, canary }: Pick<PlannedTrial, 'fixture' | 'canary'>,
  victim: { readonly key: string; readonly address: string },
  signal: AbortSignal,
): Promise<void> {
  const tokens = [...fixtureTokens(fixture, canary), ...decoyTokens(canary)]
  const body: SinkholeRegistration = { ...victim, tokens, answers: remoteAnswers(fixture, canary) }
  await requestJson(url, 'POST', '/trials', SinkholeRecord, { body, signal })
}

/** Everything that the trial's victim sent, or why that cannot be known. The sinkhole forgets the trial. */
export async function takeSinkholeRecord(url: string, key: string): Promise<SinkholeRecord | SinkholeGone> {
  try {
    return await requestJson(url, 'DELETE', `/trials/${key}`, SinkholeRecord)
  } catch (error) {
    return { gone: messageOf(error) }
  }
}
