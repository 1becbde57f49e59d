import { z } from 'zod'
import { ArchiveFormat, Era, type FetchedChannel, Revision, Sha256, Slug, TrialId } from './words.ts'

/**
 * The control interfaces between the runner and the services. Never reachable from a victim.
 */

/** `POST /trials` on the skills server's control port. Answers 201 with {@link TrialEndpoint}, 409 when the key exists. */
export const TrialRegistration = z.strictObject({
  /** Endpoint key: the last folder of `/t/<key>/mcp`. Unguessable, so that one victim cannot read another's skills. */
  key: TrialId,
  fixture: Slug,
  revision: Revision,
  /** The trial's canary: 64 hex digits. */
  canary: Sha256,
})
export type TrialRegistration = z.infer<typeof TrialRegistration>

/** An archive that a trial's catalogue offers, read or not. */
export const ServedArchive = z.strictObject({
  uri: z.string(),
  format: ArchiveFormat,
  sha256: Sha256,
  size: z.int().nonnegative(),
})
export type ServedArchive = z.infer<typeof ServedArchive>

/** Path of a trial's MCP endpoint. */
export const trialPath = (key: string): string => `/t/${key}/mcp`

/**
 * Path at which a trial hands out a skill without MCP. Those of archives and of git name the skill; the others are a
 * place that has all skills of the trial, and the host looks for what it wants there.
 *
 * @param format of the archives there; absent where the skill comes as a tree of files.
 */
export function deliveryPath(key: string, channel: FetchedChannel, skill: string, format?: ArchiveFormat): string {
  const name = encodeURIComponent(skill)
  switch (channel) {
    case 'archive-url':
      return `/t/${key}/archives/${name}.${format ?? 'tar.gz'}`
    case 'well-known':
      return `/t/${key}/${format ?? 'files'}`
    case 'git':
      return `/t/${key}/git/${name}.git`
    case 'marketplace':
      return `/t/${key}/marketplace/${name}.git`
    case 'clawhub':
      return `/t/${key}/clawhub`
  }
}

export const TrialEndpoint = z.strictObject({
  key: TrialId,
  /** Path of the MCP endpoint, to be appended to the server's address: `/t/<key>/mcp`. */
  path: z.string().startsWith('/t/'),
  /** Every archive that the trial offers, so that the observer can tell a delivery from a landing. */
  archives: z.array(ServedArchive),
})
export type TrialEndpoint = z.infer<typeof TrialEndpoint>

/** One request that a trial's endpoint answered. */
export const AccessEntry = z.strictObject({
  /** ISO 8601, UTC. */
  time: z.iso.datetime(),
  method: z.string(),
  uri: z.string().optional(),
  /** Bytes of content in the answer (decoded, before base64 and JSON). */
  bytes: z.int().nonnegative(),
  client: z.string().optional(),
  /** Absent outside of MCP, where `method` is HTTP's and `uri` the path below the trial's own. */
  era: Era.optional(),
  /** Outside of MCP: the answer held a part of a skill. */
  payload: z.literal(true).optional(),
  /** JSON-RPC error code, or outside of MCP the status, when the answer was an error. */
  error: z.int().optional(),
})
export type AccessEntry = z.infer<typeof AccessEntry>

/** `GET /trials/<key>` answers this; `DELETE /trials/<key>` answers it a last time and drops the trial. */
export const TrialRecord = z.strictObject({
  key: TrialId,
  fixture: Slug,
  access: z.array(AccessEntry),
  /** Everything the catalogue of this trial offers as an archive, read or not. */
  archives: z.array(ServedArchive),
  /** Entries dropped because the access log reached its limit. */
  droppedEntries: z.int().nonnegative(),
})
export type TrialRecord = z.infer<typeof TrialRecord>

/** Every service answers this on `GET /healthz`. */
export const Health = z.strictObject({ status: z.literal('ok'), service: z.string(), version: z.string() })
export type Health = z.infer<typeof Health>

/** Every control interface answers errors like this, never as HTML. */
export const ControlError = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), data: z.record(z.string(), z.unknown()).optional() }),
})
export type ControlError = z.infer<typeof ControlError>
