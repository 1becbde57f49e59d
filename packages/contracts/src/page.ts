import { z } from 'zod'
import { WirePath } from './entry-words.ts'
import { LiveLoss } from './live.ts'
import { Blindness, ChangeKind, DecoyState, Entry, ObservationAbout } from './observation.ts'
import { Processes } from './processes.ts'
import { SinkholeEvent } from './sinkhole.ts'
import { Sha256, Slug, TrialId } from './words.ts'

/**
 * What the observer's page is told. It shows people what is seen; no verdict is made of it.
 *
 * `GET /state` answers {@link ObserverState} whole; with `?boot=<boot>&after=<revision>` of an earlier answer, only
 * the parts that have changed since. `GET /events` (server-sent) tells the revision whenever there is a new one
 * (`event: state`, {@link StateNews}) and every {@link PageEvent} (unnamed events). `GET /trials/<trial>` answers
 * {@link TrialView} of one that has ended and is still kept, `GET /trials/<trial>/export` a {@link TrialExport} as a
 * file, `GET /content?path=<path>` the first bytes of a file in the living victim that is driven by hand.
 */

/** `live`: what the live witness saw. `begin`, `end`: of a trial. `blind`: something could not be seen. */
export const pageEventKinds = ['landed', 'trace', 'ok', 'decoy', 'change', 'live', 'begin', 'end', 'blind'] as const
export const PageEventKind = z.enum(pageEventKinds)
export type PageEventKind = z.infer<typeof PageEventKind>

export const PageEvent = z.strictObject({
  /** Counts from 1 in each life of the observer. */
  id: z.int().positive(),
  time: z.iso.datetime(),
  /** The trial, or `manual`. */
  trial: TrialId,
  kind: PageEventKind,
  text: z.string(),
  /** Kept apart from the sentence, since a hostile name may look like the rest of one. */
  path: WirePath.optional(),
})
export type PageEvent = z.infer<typeof PageEvent>

export const FindingKind = z.enum(['landed', 'trace', 'ok', 'decoy'])

export const PageFinding = z.strictObject({ kind: FindingKind, text: z.string(), path: WirePath.optional() })
export type PageFinding = z.infer<typeof PageFinding>

/** Something that was done to a decoy. `path`: the link or the copy. */
export const DecoyUse = z.strictObject({
  how: z.enum(['read', 'opened', 'copied', 'hard-linked', 'linked']),
  path: WirePath.optional(),
  /** At least this often, for reads. */
  count: z.int().positive().optional(),
  /** The copy is gone again. */
  gone: z.literal(true).optional(),
})
export type DecoyUse = z.infer<typeof DecoyUse>

export const PageDecoy = z.strictObject({
  name: Slug,
  path: WirePath,
  /** `watching`: known when the trial has ended. */
  state: z.enum([...DecoyState.shape.state.options, 'watching']),
  uses: z.array(DecoyUse),
  moreUses: z.int().nonnegative(),
})
export type PageDecoy = z.infer<typeof PageDecoy>

/** One entry that differs from the start, as the tree shows it. */
export const PageChange = z.strictObject({
  path: WirePath,
  kind: ChangeKind,
  ...Entry.pick({ type: true, mode: true, uid: true, size: true, target: true, sha256: true }).shape,
  fields: z.array(z.string()).optional(),
  delivery: z.literal(true).optional(),
})
export type PageChange = z.infer<typeof PageChange>

export const PageChanges = z.strictObject({ rows: z.array(PageChange), more: z.int().nonnegative() })
export type PageChanges = z.infer<typeof PageChanges>

export const PageTrial = z.strictObject({
  trial: TrialId,
  about: ObservationAbout.optional(),
  /** Fixtures whose tokens are looked for; empty when it is all of them. */
  fixtures: z.array(Slug),
  /** `dropped`: given up without an observation. */
  state: z.enum(['watching', 'ended', 'dropped']),
  since: z.iso.datetime(),
  until: z.iso.datetime().optional(),
  entries: z.int().nonnegative(),
  counts: z.strictObject({
    landed: z.int().nonnegative(),
    trace: z.int().nonnegative(),
    ok: z.int().nonnegative(),
    decoy: z.int().nonnegative(),
    change: z.int().nonnegative(),
  }),
  /** Bounded; `counts` has all. */
  findings: z.array(PageFinding),
  decoys: z.array(PageDecoy),
  blindness: z.array(Blindness),
  /** What the live witness may have missed. */
  losses: z.array(LiveLoss),
})
export type PageTrial = z.infer<typeof PageTrial>

export const TrialView = z.strictObject({
  trial: PageTrial,
  changes: PageChanges,
  processes: Processes.optional(),
})
export type TrialView = z.infer<typeof TrialView>

/** One of the trials that are kept after their end. */
export const PastTrial = PageTrial.pick({
  trial: true,
  about: true,
  state: true,
  since: true,
  until: true,
  counts: true,
})
export type PastTrial = z.infer<typeof PastTrial>

export const ObserverState = z.strictObject({
  /** Another one in each life of the observer. */
  boot: z.string(),
  revision: z.int().nonnegative(),
  observer: z.strictObject({
    version: z.string(),
    startedAt: z.iso.datetime(),
    /** `manual`: a victim that is driven by hand. `run`: one observer of a run, for one trial at a time. */
    mode: z.enum(['manual', 'run']),
    run: z.string().optional(),
    /** Whether it listens to a sinkhole. */
    sinkhole: z.enum(['off', 'connected', 'lost']),
  }),
  /** The present trial, or the last one; null when there was none yet. Absent parts are unchanged. */
  trial: PageTrial.nullable().optional(),
  changes: PageChanges.optional(),
  processes: Processes.nullable().optional(),
  past: z.array(PastTrial).optional(),
  sinkhole: z.array(SinkholeEvent).optional(),
})
export type ObserverState = z.infer<typeof ObserverState>

export const StateNews = ObserverState.pick({ boot: true, revision: true })
export type StateNews = z.infer<typeof StateNews>

/** Name and version of the file that a trial is exported as. */
export const trialExportFormat = 'landfall-trial-export-1'

export const TrialExport = z.strictObject({
  format: z.literal(trialExportFormat),
  exportedAt: z.iso.datetime(),
  observer: ObserverState.shape.observer,
  ...TrialView.shape,
  events: z.array(PageEvent),
  /** The observation as the runner got it; absent for a victim that is driven by hand. */
  observation: z.unknown().optional(),
  /** Content of new and changed files, once for each digest, within a limit. */
  contents: z.array(z.strictObject({ sha256: Sha256, size: z.int().nonnegative(), base64: z.base64() })),
  leftOut: z.array(z.strictObject({ path: WirePath, size: z.int().nonnegative(), why: z.string() })),
})
export type TrialExport = z.infer<typeof TrialExport>
