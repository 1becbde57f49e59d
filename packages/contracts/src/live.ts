import { z } from 'zod'
import { EntryType, WirePath } from './entry-words.ts'
import { Slug } from './words.ts'

/**
 * What witness W3 saw while it happened: order, time, reads of decoys, and what existed only for a moment.
 *
 * W1 decides what is there in the end. W3 tells the rest, and tells what it may have missed: every loss stands in
 * the observation, and `docs/observer.md` says for each what it means.
 */

/**
 * `created`, `linked` (a further name of a file that has one), `written` (or closed after being open for writing),
 * `renamed` (`from` is the old path), `deleted`, `mode` (mode, owner, times or attributes); of decoys alone also
 * `opened` and `read`.
 */
export const liveEventKinds = ['created', 'linked', 'written', 'renamed', 'deleted', 'mode', 'opened', 'read'] as const
export const LiveEventKind = z.enum(liveEventKinds)
export type LiveEventKind = z.infer<typeof LiveEventKind>

export const LiveEvent = z.strictObject({
  kind: LiveEventKind,
  /** Of a decoy that was reached through another name: the decoy's own path. */
  path: WirePath,
  /** For `renamed`. */
  from: WirePath.optional(),
  /** Absent when it was gone before it could be looked at. */
  type: EntryType.optional(),
  /** Of a new symbolic link: its target in wire form, not necessarily absolute. */
  target: z.string().optional(),
  /** Permission bits, for `mode`, as they were when the event was read. */
  mode: z.int().min(0).max(0o7777).optional(),
  /** Milliseconds since `startedAt`, microseconds as the fraction: when the observer read the event. */
  atMs: z.number(),
  /** `scan`: it was already there when its directory could be watched. */
  found: z.enum(['event', 'scan']),
  /** How many events of this kind and path followed each other directly. The kernel joins equal ones, so: at least. */
  times: z.int().positive(),
})
export type LiveEvent = z.infer<typeof LiveEvent>

/** Reads of a decoy by the victim, by whatever name: a watch on the inode sees hard and symbolic links too. */
export const DecoyRead = z.strictObject({
  decoy: Slug,
  /** Where the decoy stands. */
  path: WirePath,
  /**
   * `read`: bytes were read by a system call. `open`: it was opened for reading and closed again without such a call,
   * as a program does that maps it into its memory.
   */
  by: z.enum(['read', 'open']),
  /** At least this often: the kernel joins equal events that follow each other. */
  count: z.int().positive(),
  firstMs: z.number(),
})
export type DecoyRead = z.infer<typeof DecoyRead>

/**
 * `overflow`, `watcher`, `gap`, `restart`, `watch-limit` and `not-running` are severe: anything may have been missed.
 * `late` is local: something below `path` may have come and gone before it could be watched. Reads of decoys are
 * never in doubt by it.
 *
 * - `overflow`: the kernel's queue was full and events were dropped.
 * - `watcher`: the watcher died, a watch was lost, or W1 met a new entry that W3 had not.
 * - `gap`: the observer did not run for so long that nothing is known of the time in between.
 * - `restart`: watching began anew in the middle of the trial.
 * - `watch-limit`: there were more directories than can be watched.
 * - `not-running`: there were no live events in this observation at all.
 */
export const liveLossKinds = ['overflow', 'watcher', 'gap', 'restart', 'watch-limit', 'not-running', 'late'] as const
export const LiveLossKind = z.enum(liveLossKinds)
export type LiveLossKind = z.infer<typeof LiveLossKind>

export const LiveLoss = z.strictObject({ kind: LiveLossKind, path: WirePath.optional(), detail: z.string() })
export type LiveLoss = z.infer<typeof LiveLoss>

/** Whether nothing that W3 did not see can be called absent. */
export function isSevere({ kind }: LiveLoss): boolean {
  return kind !== 'late'
}

const Count = z.int().nonnegative()

export const LiveObservation = z.strictObject({
  /** The moment that `atMs` counts from, on the clock CLOCK_MONOTONIC, which all containers share; nanoseconds. */
  monotonicNs: z.string(),
  /** The first ones; `counts.unlisted` are the rest. */
  events: z.array(LiveEvent),
  decoyReads: z.array(DecoyRead),
  /** Paths that came and went within the trial; bounded, `counts.transient` has all. */
  transient: z.array(
    z.strictObject({
      path: WirePath,
      type: EntryType.optional(),
      createdMs: z.number().optional(),
      goneMs: z.number(),
    }),
  ),
  /**
   * Tokens of this trial in what is not there any more: in a name, in a link's target, or in the content of a file
   * that could still be read after it was deleted or replaced.
   */
  transientSightings: z.array(
    z.strictObject({ fixture: Slug, site: Slug, path: WirePath, place: z.enum(['content', 'name', 'target']) }),
  ),
  /** Decoys whose token stood in such a file: copies that were removed again. */
  transientCopies: z.array(z.strictObject({ decoy: Slug, path: WirePath })),
  /** Bounded in each kind; `counts.losses` has all. */
  losses: z.array(LiveLoss),
  counts: z.strictObject({
    /** Raw events of the kernel. */
    raw: Count,
    byKind: z.partialRecord(LiveEventKind, Count),
    /** Entries that were found by looking into a new directory. */
    scanned: Count,
    transient: Count,
    /** New names that were still there in the end. */
    standing: Count,
    unlisted: Count,
    losses: z.partialRecord(LiveLossKind, Count),
    /** Directories that were watched at the end. */
    watches: Count,
  }),
  /** From the making of a new file, as its file system dates it (in steps of up to 4 ms), to the event being read. */
  latencyUs: z.strictObject({ samples: Count, p50: z.number(), p95: z.number() }),
  /** The longest time between two looks at the queue, or heartbeats when nothing happened. */
  largestGapMs: z.number(),
})
export type LiveObservation = z.infer<typeof LiveObservation>

/** An observation without live events, which says so. */
export function withoutLive(detail: string): LiveObservation {
  return {
    monotonicNs: '0',
    events: [],
    decoyReads: [],
    transient: [],
    transientSightings: [],
    transientCopies: [],
    losses: [{ kind: 'not-running', detail }],
    counts: {
      raw: 0,
      byKind: {},
      scanned: 0,
      transient: 0,
      standing: 0,
      unlisted: 0,
      losses: { 'not-running': 1 },
      watches: 0,
    },
    latencyUs: { samples: 0, p50: 0, p95: 0 },
    largestGapMs: 0,
  }
}
