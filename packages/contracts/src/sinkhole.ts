import { z } from 'zod'
import { Sha256, Slug, TrialId } from './words.ts'

/**
 * The control interface of the sinkhole, which is a victim's outside world. Never reachable from a victim.
 *
 * Everything that a victim sent is text here: names and header values as they came, one character a byte
 * (latin1), bodies in base64. It is hostile: whoever shows it escapes it.
 */

/** What the sinkhole answers to one path. Without a match it answers 404 and a line of text. */
export const SinkholeAnswer = z.strictObject({
  /** Any host when absent. Compared in lower case, without the port. */
  host: z.string().max(255).optional(),
  /** Exactly this path; what follows a question mark is not looked at. */
  path: z.string().startsWith('/').max(2_048),
  status: z.int().min(200).max(599),
  contentType: z.string().max(255),
  body: z.string().max(65_536),
})
export type SinkholeAnswer = z.infer<typeof SinkholeAnswer>

/** `POST /trials` on the sinkhole's control port. Answers 201 with {@link SinkholeRecord}, 409 when key or address is taken. */
export const SinkholeRegistration = z.strictObject({
  key: TrialId,
  /** Of the victim on the lab network: whose request it is when it carries no token. */
  address: z.ipv4(),
  /** Every token that counts as sent: those of the fixture and those of the decoys. */
  tokens: z
    .array(z.strictObject({ token: z.string().regex(/^LFC-[0-9a-f]{32}$/), fixture: Slug, site: Slug }))
    .max(10_000),
  answers: z.array(SinkholeAnswer).max(100),
})
export type SinkholeRegistration = z.infer<typeof SinkholeRegistration>

/** How it is known whose it was: a token of the trial is in it, or it came from the trial's victim. */
export const AttributedBy = z.enum(['token', 'address'])
export type AttributedBy = z.infer<typeof AttributedBy>

const seen = {
  /** ISO 8601, UTC. */
  time: z.iso.datetime(),
  /** Source address. */
  from: z.string(),
  /** Absent for what belongs to no trial. */
  by: AttributedBy.optional(),
}

export const SinkholeRequest = z.strictObject({
  ...seen,
  scheme: z.enum(['http', 'https']),
  /** As in the Host header, without the port; empty when there was none. */
  host: z.string(),
  method: z.string(),
  /** With what follows the question mark. */
  path: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** Bytes that came, at most 8 MiB: then the connection is cut. */
  bodyBytes: z.int().nonnegative(),
  /** Of what came. */
  bodySha256: Sha256,
  /** The first 16 KiB, in base64; less when the trial has used up its room. */
  body: z.base64(),
  /** The body ended before it was complete: the client left, or it was too large. */
  cut: z.boolean(),
  status: z.int(),
  /** What was asked of the MCP server of the other origin; absent for other requests. */
  mcp: z.strictObject({ method: z.string(), uri: z.string().optional() }).optional(),
})
export type SinkholeRequest = z.infer<typeof SinkholeRequest>

export const SinkholeQuery = z.strictObject({
  ...seen,
  transport: z.enum(['udp', 'tcp']),
  /** Without the final dot, as it was spelt. */
  name: z.string(),
  /** `A`, `TXT`, ... or `TYPE<number>`. */
  type: z.string(),
})
export type SinkholeQuery = z.infer<typeof SinkholeQuery>

/** A connection or packet that carried no request that can be read. */
export const SinkholeFault = z.strictObject({
  ...seen,
  over: z.enum(['http', 'https', 'dns']),
  /** Of a TLS handshake: the server name that was asked for. */
  serverName: z.string().optional(),
  detail: z.string(),
})
export type SinkholeFault = z.infer<typeof SinkholeFault>

/** Where in what was sent a token stood. `fault`: in the server name or the bytes of something unreadable. */
export const SentPlace = z.enum(['path', 'header', 'body', 'dns', 'fault'])
export type SentPlace = z.infer<typeof SentPlace>

/** One token of the trial in one thing it sent: once for each place. */
export const SentSighting = z.strictObject({
  fixture: Slug,
  site: Slug,
  where: SentPlace,
  /** How it was written: as it is, or in an encoding that was undone. */
  as: z.enum(['plain', 'percent', 'base64', 'hex']),
  /** Position in `dns` for `dns`, in `faults` for `fault`, otherwise in `requests`. -1 when that list was full. */
  index: z.int().min(-1),
})
export type SentSighting = z.infer<typeof SentSighting>

/** What was not kept because a list or the room for bodies was full. Sightings are searched for nevertheless. */
export const SinkholeDropped = z.strictObject({
  requests: z.int().nonnegative(),
  dns: z.int().nonnegative(),
  faults: z.int().nonnegative(),
  sightings: z.int().nonnegative(),
  /** Bytes of headers and bodies that are not in `requests`, though their request is. */
  bytes: z.int().nonnegative(),
})
export type SinkholeDropped = z.infer<typeof SinkholeDropped>

const traffic = {
  requests: z.array(SinkholeRequest),
  dns: z.array(SinkholeQuery),
  faults: z.array(SinkholeFault),
  dropped: SinkholeDropped,
}

/** `GET /trials/<key>` answers this; `DELETE /trials/<key>` answers it a last time and forgets the trial. */
export const SinkholeRecord = z.strictObject({ key: TrialId, ...traffic, sightings: z.array(SentSighting) })
export type SinkholeRecord = z.infer<typeof SinkholeRecord>

/** `GET /unattributed` answers this: what carried no token of a trial and came from no trial's victim. */
export const SinkholeUnattributed = z.strictObject(traffic)
export type SinkholeUnattributed = z.infer<typeof SinkholeUnattributed>

/**
 * One event of `GET /events` (server-sent; the `data` lines, with the id of each): what has come, as it comes. The
 * last 500 are given to whoever joins, those after `Last-Event-ID` to whoever comes back.
 */
export const SinkholeEvent = z.strictObject({
  id: z.int().positive(),
  time: z.iso.datetime(),
  /** Absent for what belongs to no trial. */
  trial: TrialId.optional(),
  kind: z.enum(['request', 'dns', 'fault', 'sent']),
  /** One line. It repeats what a victim sent, cut to 300 printable ASCII characters. */
  text: z.string(),
  /** Of `sent`: the site whose token was in it. */
  fixture: Slug.optional(),
  site: Slug.optional(),
})
export type SinkholeEvent = z.infer<typeof SinkholeEvent>

/**
 * The MCP server of another origin, as a victim sees it. Its skills are harmless; that it was asked is what counts.
 * Skill URIs of this authority belong to it.
 */
export const otherOrigin = {
  authority: 'other-server.example',
  mcpUrl: 'http://other-server.example/mcp',
} as const
