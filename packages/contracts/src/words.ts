import { z } from 'zod'
import { channels, type FetchedChannel, fetchedChannels } from './channels.ts'
import { users } from './users.ts'

/**
 * The closed vocabularies of the lab. Everything that crosses a boundary uses these words and no others.
 */

/** What happened in a trial. `inconclusive` is the lab's own failure and is never counted as resistance. */
export const outcomes = ['blocked', 'contained', 'landed', 'not-exercised', 'inconclusive'] as const
export const Outcome = z.enum(outcomes)
export type Outcome = z.infer<typeof Outcome>

/** The outcome held against the action that the clause requires. */
export const verdicts = ['pass', 'partial', 'fail', 'gap', 'n/a', 'void'] as const
export const Verdict = z.enum(verdicts)
export type Verdict = z.infer<typeof Verdict>

/**
 * What a conformant host must do. `accept` belongs to the benign control alone: the skill must be
 * installed, and must stay inside its directory.
 */
export const actions = ['reject', 'sanitize', 'gate', 're-prompt', 'accept'] as const
export const Action = z.enum(actions)
export type Action = z.infer<typeof Action>

/** Standing of the clause in the published text of one revision. */
export const clauseStatuses = ['must', 'proposed', 'none'] as const
export const ClauseStatus = z.enum(clauseStatuses)
export type ClauseStatus = z.infer<typeof ClauseStatus>

/** `index`: SEP-2640 with `skill://index.json` and archives. `stable`: the published extension. */
export const Revision = z.enum(['index', 'stable'])
export type Revision = z.infer<typeof Revision>

/** Base protocol of a connection: `legacy` is 2025-11-25, `modern` is 2026-07-28. */
export const Era = z.enum(['legacy', 'modern'])
export type Era = z.infer<typeof Era>

/** How a skill reaches a host: see channels.ts. */
export { channels, fetchedChannels, type FetchedChannel } from './channels.ts'
export const Channel = z.enum(channels)
export type Channel = z.infer<typeof Channel>

export const isFetched = (channel: Channel): channel is FetchedChannel =>
  fetchedChannels.some((fetched) => fetched === channel)

/** Archive formats of the index revision (iS11). */
export const archiveFormats = ['tar.gz', 'zip'] as const
export const ArchiveFormat = z.enum(archiveFormats)
export type ArchiveFormat = z.infer<typeof ArchiveFormat>

/** Media types of the two archive formats (fact sheet A1). */
export const archiveMediaTypes: Readonly<Record<ArchiveFormat, string>> = {
  'tar.gz': 'application/gzip',
  zip: 'application/zip',
}

/** Who the host runs as inside the victim: see users.ts. */
export { userFacts, users } from './users.ts'
export const VictimUser = z.enum(users)
export type VictimUser = z.infer<typeof VictimUser>

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lowercase hex digits')

/** A digest as the skills extension writes it (S16): `sha256:` and 64 lowercase hex digits. */
export const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'expected sha256: and 64 lowercase hex digits')

/** Names the lab gives to its own things: fixtures, hosts, sites. */
export const Slug = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'expected lower-case words joined by single hyphens')

/** Names a trial and doubles as a folder name and a URL segment. */
export const TrialId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{0,127}$/, 'expected lower-case letters, digits, dots, hyphens')
