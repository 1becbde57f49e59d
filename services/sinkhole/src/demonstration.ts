import { decoyTokens, fixtureTokens, remoteAnswers, rows } from '@landfall/catalog'
import { deriveCanary, manualTrial } from '@landfall/contracts'
import type { Registration } from './trials.ts'

/** The trial of the victim that a person drives by hand: every payload's answers, every token, whatever the address. */
export function demonstration(demoSeed: string): Registration {
  const canary = deriveCanary(demoSeed, manualTrial)
  return {
    key: manualTrial,
    lasting: true,
    tokens: [...rows.flatMap((row) => fixtureTokens(row, canary)), ...decoyTokens(canary)],
    answers: rows.flatMap((row) => remoteAnswers(row, canary)),
  }
}
