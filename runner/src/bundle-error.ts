import { LandfallError } from '@landfall/contracts/errors'

/** Why there is no manifest, as one line of JSON: usage errors are told in the same way as all others. */
export function errorJson(error: unknown): string {
  return `${JSON.stringify({ schema: 'skills-anywhere-bundle-error-1', error: reasonOf(error) })}\n`
}

export function reasonOf(error: unknown): string {
  if (error instanceof LandfallError) return error.message
  // Not one of ours: a defect, for which the stack is what a report needs.
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
