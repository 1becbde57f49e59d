import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Guard, Rule } from '../rule.ts'

/** Whether what came is what was promised. */

export const digestMatches: Rule = {
  id: 'H16',
  clauses: ['iH7', 'H16-digest'],
  says: 'Every byte that is used matches the stated digest.',
}

export const sizeMatches: Rule = {
  id: 'H16-size',
  clauses: ['S15'],
  says: 'Every file is as long as stated.',
}

export const frontmatterMatches: Rule = {
  id: 'H18',
  clauses: ['iH8'],
  says: 'The frontmatter of the fetched SKILL.md equals the listed one, field by field.',
}

export const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

export function verify(guard: Guard, uri: string, bytes: Buffer, stated: { digest: string; size?: number }): void {
  if (stated.size !== undefined)
    guard.hold(
      sizeMatches,
      bytes.length === stated.size,
      `${uri} has ${bytes.length} bytes, stated are ${stated.size}`,
      { uri },
    )
  guard.hold(digestMatches, digestOf(bytes) === stated.digest, `${uri} is not what its digest says`, { uri })
}

export function verifyFrontmatter(guard: Guard, uri: string, fetched: unknown, listed: unknown): void {
  // The listing travelled as JSON: what JSON cannot say is no difference.
  const same = isDeepStrictEqual(JSON.parse(JSON.stringify(fetched ?? null)), listed)
  guard.hold(frontmatterMatches, same, 'the frontmatter of SKILL.md is not the listed one', { uri })
}
