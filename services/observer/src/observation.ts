import type {
  LiveObservation,
  Observation,
  ObservationEnd,
  ObservationRequest,
  ObservationStarted,
  Processes,
} from '@landfall/contracts'
import { fromWirePath, withoutLive } from '@landfall/contracts'
import { BlindSpots } from './blindness.ts'
import type { Clock } from './clock.ts'
import type { Subject } from './compare.ts'
import { compare } from './compare.ts'
import type { ContentBudget } from './content.ts'
import { readContent } from './content.ts'
import type { CapturedDecoy } from './decoy-tracker.ts'
import type { RawEntry } from './entry.ts'
import type { HeldRoot } from './held.ts'
import type { Limits } from './limits.ts'
import type { Manifest } from './manifest.ts'
import { withNewInodes } from './processes/new-inodes.ts'
import type { Sampler } from './processes/sampler.ts'
import { walk } from './walk.ts'

/** One trial seen by witness W1, from its *before* manifest to its end. */
export interface RunningObservation extends Disposable {
  readonly started: ObservationStarted
  readonly subject: Subject
  /** What was sampled of its processes so far. */
  readonly processes: () => Processes | undefined
  /** Takes the *after* manifest and says everything. The victim should be dead by now, so that nothing moves. */
  readonly end: (end: ObservationEnd, live?: LiveObservation) => Observation
}

export interface ObservationDependencies {
  readonly clock: Clock
  readonly limits: Limits
  /** Begins to sample the victim's processes. */
  readonly sample?: (held: HeldRoot) => Sampler | undefined
}

export type DecoyRequest = ObservationRequest['decoys'][number]

/** Takes the *before* manifest, in which the decoys are read too. */
export function captureBefore(
  held: HeldRoot,
  decoys: readonly DecoyRequest[],
  blind: BlindSpots,
  { clock, limits }: ObservationDependencies,
): { manifest: Manifest; captured: CapturedDecoy[]; entries: number } {
  const expired = deadline(clock, limits)
  const known = new Set(decoys.map(({ token }) => token))
  const budget: ContentBudget = {
    limits,
    blind,
    expired,
    known,
    left: limits.contentBytes,
    zerosLeft: limits.contentBytes,
  }
  const wanted = new Map(decoys.map((decoy) => [fromWirePath(decoy.path).toString('latin1'), decoy]))
  const manifest = new Map<string, RawEntry>()
  const found = new Map<string, { entry: RawEntry; sha256?: string }>()
  let full = false
  const entries = walk(held, {
    limits,
    blind,
    expired,
    visit: (key, entry, dir, name) => {
      if (manifest.size < limits.manifestEntries) manifest.set(key, entry)
      else full = true
      if (!wanted.has(key)) return
      const content = entry.type === 'file' ? readContent(key, entry, dir, name, budget) : undefined
      found.set(key, { entry, ...(content?.sha256 === undefined ? {} : { sha256: content.sha256 }) })
    },
  })
  if (full) blind.add('entries', `a manifest keeps no more than ${limits.manifestEntries} entries`)
  const captured = [...wanted].map(([key, { name, token }]) => ({ name, key, token, ...found.get(key) }))
  return { manifest, captured, entries }
}

export function deadline(clock: Clock, limits: Limits): () => boolean {
  const end = clock.elapsed() + limits.walkMs
  return () => clock.elapsed() > end
}

/** Begins the observation of a held victim. The observation owns `held` from here on. */
export function beginObservation(
  held: HeldRoot,
  request: ObservationRequest,
  dependencies: ObservationDependencies,
): RunningObservation {
  const { clock, limits } = dependencies
  const blind = new BlindSpots()
  const startedAt = clock.now().toISOString()
  const begin = clock.elapsed()
  const { manifest, captured, entries } = captureBefore(held, request.decoys, blind, dependencies)
  const beforeMs = clock.elapsed() - begin
  const tokens = new Map(request.tokens.map(({ token, fixture, site }) => [token, { fixture, site }]))
  const subject = { tokens, decoys: captured }
  const sampler = dependencies.sample?.(held)

  const end = ({ deliveries }: ObservationEnd, live = withoutLive('nothing watched this trial live')): Observation => {
    const blindAfter = new BlindSpots()
    const from = clock.elapsed()
    const options = { limits, blind: blindAfter, expired: deadline(clock, limits), deliveries: new Set(deliveries) }
    // Before the walk, which would count as a gap in which nothing was sampled.
    const processes = sampler?.end()
    const seen = compare(held, manifest, subject, options)
    return {
      trial: request.trial,
      witness: 'w1',
      startedAt,
      finishedAt: clock.now().toISOString(),
      entriesBefore: entries,
      entriesAfter: seen.entries,
      beforeMs,
      afterMs: clock.elapsed() - from,
      changes: seen.changes,
      sightings: seen.sightings,
      decoys: seen.decoys,
      foreignTokens: seen.foreignTokens,
      blindness: [...blind.list(), ...blindAfter.list()],
      live,
      ...(processes === undefined ? {} : { processes: withNewInodes(processes, seen.changes) }),
    }
  }
  return {
    started: { trial: request.trial, pid: held.pid, entries, beforeMs },
    subject,
    processes: () => sampler?.result(),
    end,
    [Symbol.dispose]: () => {
      sampler?.[Symbol.dispose]()
      held[Symbol.dispose]()
    },
  }
}
