import { createHash } from 'node:crypto'
import type { Guard, Rule } from '../rule.ts'

/** What the user has agreed to, and for how long. */

export const boundToContent: Rule = {
  id: 'H29',
  clauses: ['iH15'],
  says: 'A kept approval holds for exactly the files and digests that it was given for.',
}

export const dynamicUnbound: Rule = {
  id: 'H30',
  clauses: [],
  says: 'Generated content cannot be approved for later: each load asks again.',
}

export const perSkill: Rule = {
  id: 'H5',
  clauses: ['H4'],
  says: 'A nested skill is text of the outer one until the user approves it by itself.',
}

export const keyedByOrigin: Rule = {
  id: 'H6',
  clauses: ['H7', 'H10'],
  says: 'Approvals, cache and registry are keyed by server label and URI, never by the URI or the name alone.',
}

/** What an approval is bound to: the whole set of files with their digests. */
export function contentKey(items: readonly { uri: string; digest: string }[]): string {
  const lines = items.map(({ uri, digest }) => `${uri} ${digest}`).toSorted()
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

export function skillKey(guard: Guard, server: string, uri: string): string {
  return guard.on(keyedByOrigin) ? `${server} ${uri}` : uri
}

/** Whether a kept approval covers what is served now. */
export function covers(guard: Guard, kept: string | undefined, now: string, dynamic: boolean): boolean {
  if (kept === undefined) return false
  if (dynamic) return !guard.on(dynamicUnbound)
  return kept === now || !guard.on(boundToContent)
}
