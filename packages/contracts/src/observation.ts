import { z } from 'zod'
import { EntryType, WirePath } from './entry-words.ts'
import { LiveObservation } from './live.ts'
import { Processes } from './processes.ts'
import { Channel, Digest, Sha256, Slug, TrialId, VictimUser } from './words.ts'

/** What the observer is told and what it answers. */

const wireText = /^(?:[\x20-\x24\x26-\x7e]|%[0-9A-F]{2})+$/

/**
 * Extended attributes by name, in the wire form of a path. A value is base64, or `sha256:<hex>` of a value that
 * is too large to carry. Only what the observer may see: all but `trusted.*`.
 */
export const Xattrs = z.record(z.string().regex(wireText), z.union([z.base64(), Digest]))
export type Xattrs = z.infer<typeof Xattrs>

/** One entry of a manifest. Numbers of the kernel that exceed 2^53 travel as decimal text. */
export const Entry = z.strictObject({
  path: WirePath,
  type: EntryType,
  /** Permission bits with setuid, setgid and sticky: 0 to 0o7777. */
  mode: z.int().min(0).max(0o7777),
  uid: z.int(),
  gid: z.int(),
  size: z.int().nonnegative(),
  links: z.int().nonnegative(),
  dev: z.string(),
  ino: z.string(),
  mtimeNs: z.string(),
  ctimeNs: z.string(),
  /** Link target of a symbolic link, in the wire form of a path but not necessarily absolute. */
  target: z.string().optional(),
  /** Where a symbolic link leads inside the victim, fully resolved; absent when it leads nowhere. */
  resolved: WirePath.optional(),
  /** Of regular files that are new or changed. */
  sha256: Sha256.optional(),
  /** Extended attributes, ACLs included; absent when there are none. */
  xattrs: Xattrs.optional(),
})
export type Entry = z.infer<typeof Entry>

export const ChangeKind = z.enum(['added', 'changed', 'removed'])
export type ChangeKind = z.infer<typeof ChangeKind>

export const Change = z.strictObject({
  kind: ChangeKind,
  path: WirePath,
  /** Absent when removed. */
  after: Entry.optional(),
  /** Absent when added. */
  before: Entry.optional(),
  /** Which fields differ, for `changed`. */
  fields: z.array(z.string()).optional(),
  /** The file is byte for byte the archive that was delivered, so the tokens in it have not landed. */
  delivery: z.literal(true).optional(),
})
export type Change = z.infer<typeof Change>

/** Where in an entry a token was seen. */
export const SightingPlace = z.enum(['content', 'name', 'target'])

/** One token of this trial in one new or changed entry. */
export const Sighting = z.strictObject({
  site: Slug,
  fixture: Slug,
  path: WirePath,
  place: SightingPlace,
  /** Byte offset of the first occurrence, for `content`. */
  offset: z.int().nonnegative().optional(),
})
export type Sighting = z.infer<typeof Sighting>

/** A decoy planted in the victim and what became of it. */
export const DecoyState = z.strictObject({
  name: Slug,
  path: WirePath,
  /** `missing`: it was never there. `unknown`: the walk could not tell; `blindness` says why. */
  state: z.enum(['intact', 'changed', 'deleted', 'missing', 'unknown']),
  /** New or changed entries that are the decoy's own inode: hard links to it. */
  hardLinks: z.array(WirePath),
  /** New or changed symbolic links that resolve to it. */
  symlinks: z.array(WirePath),
  /** New or changed files whose content holds the decoy's token. */
  copies: z.array(WirePath),
})
export type DecoyState = z.infer<typeof DecoyState>

/**
 * A limit the walk ran into, or something it could not read. Makes conclusions that needed it inconclusive.
 * `evidence`: what was seen could not be kept (the observer's disk is full); reaching a cap is no blindness.
 */
export const Blindness = z.strictObject({
  kind: z.enum(['entries', 'depth', 'bytes', 'unreadable', 'vanished', 'root-lost', 'time', 'evidence']),
  path: WirePath.optional(),
  detail: z.string(),
})
export type Blindness = z.infer<typeof Blindness>

/** Why the content of a new or changed file was not kept. */
export const notStoredReasons = ['too-large', 'trial-cap', 'incomplete', 'failed', 'off'] as const

/**
 * Content of new or changed regular files, kept once by digest: `GET /evidence/<sha256>` on the observer gives
 * the bytes until newer trials push them out. What was not kept is said with its reason: `too-large` for one
 * file, `trial-cap` for one trial, `incomplete` when the file could not be read to its end, `failed` when the
 * store could not take it, `off` when the observer has no store.
 */
export const Evidence = z.strictObject({
  stored: z.array(z.strictObject({ sha256: Sha256, size: z.int().nonnegative() })),
  /** Bounded; `moreNotStored` counts the rest. */
  notStored: z.array(z.strictObject({ path: WirePath, size: z.int().nonnegative(), reason: z.enum(notStoredReasons) })),
  moreNotStored: z.int().nonnegative(),
})
export type Evidence = z.infer<typeof Evidence>

/** Path of one piece of evidence on the observer. */
export const evidencePath = (sha256: string): string => `/evidence/${sha256}`

/** What a trial is about, for people who look at it while it runs. Decides nothing. */
export const ObservationAbout = z.strictObject({
  /** The trial's id in the results. */
  id: TrialId,
  fixture: Slug,
  host: Slug,
  channel: Channel,
  user: VictimUser,
})
export type ObservationAbout = z.infer<typeof ObservationAbout>

/** `POST /observations` on the observer: begin. Answers 201 with {@link ObservationStarted} once the *before* manifest is taken. */
export const ObservationRequest = z.strictObject({
  trial: TrialId,
  /** Value of `LANDFALL_TRIAL` in the environment of the victim's processes. */
  marker: TrialId,
  /** Every token this trial can leave. */
  tokens: z.array(z.strictObject({ token: z.string(), fixture: Slug, site: Slug })).max(10_000),
  decoys: z.array(z.strictObject({ name: Slug, path: WirePath, token: z.string() })).max(1_000),
  about: ObservationAbout.optional(),
})
export type ObservationRequest = z.infer<typeof ObservationRequest>

export const ObservationStarted = z.strictObject({
  trial: TrialId,
  pid: z.int().positive(),
  entries: z.int().nonnegative(),
  beforeMs: z.number().nonnegative(),
})
export type ObservationStarted = z.infer<typeof ObservationStarted>

/** `POST /observations/<trial>/quiet`: waits for the victim's last process, up to `waitMs`. Answers {@link Quiet}. */
export const QuietRequest = z.strictObject({ waitMs: z.int().min(0).max(60_000) })

/** Whether no process of the victim is left: only then does nothing change any more. */
export const Quiet = z.strictObject({ quiet: z.boolean() })
export type Quiet = z.infer<typeof Quiet>

/** `POST /observations/<trial>/end`: which digests were the delivery itself. Answers {@link Observation} and forgets the trial. */
export const ObservationEnd = z.strictObject({ deliveries: z.array(Sha256).max(1_000) })
export type ObservationEnd = z.infer<typeof ObservationEnd>

export const Observation = z.strictObject({
  trial: TrialId,
  witness: z.literal('w1'),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  entriesBefore: z.int().nonnegative(),
  entriesAfter: z.int().nonnegative(),
  beforeMs: z.number().nonnegative(),
  afterMs: z.number().nonnegative(),
  changes: z.array(Change),
  sightings: z.array(Sighting),
  decoys: z.array(DecoyState),
  /** Tokens of the lab that are not this trial's: a sign that trials touched each other. */
  foreignTokens: z.array(z.strictObject({ token: z.string(), path: WirePath })),
  blindness: z.array(Blindness),
  /** With no samples when nothing sampled them. Never part of a verdict. */
  processes: Processes,
  /** Hash of the canonical manifest at the start, over what was seen. */
  manifestBefore: Sha256,
  /** The same at the end, with the digests of new and changed files; equal to the first when nothing changed. */
  manifestAfter: Sha256,
  evidence: Evidence,
  /** Witness W3. */
  live: LiveObservation,
})
export type Observation = z.infer<typeof Observation>
