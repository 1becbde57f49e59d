import type {
  LiveObservation,
  Observation,
  ObservationEnd,
  ObservationRequest,
  ObservationStarted,
  Processes,
} from '@landfall/contracts'
import { withoutLive, withoutProcesses } from '@landfall/contracts'
import { BlindSpots } from './blindness.ts'
import type { ObservationDependencies } from './capture.ts'
import { captureBefore, deadline } from './capture.ts'
import type { Subject } from './compare.ts'
import { compare } from './compare.ts'
import { Keeping } from './evidence/keeping.ts'
import type { EvidenceStore } from './evidence/store.ts'
import type { HeldRoot } from './held.ts'
import { withNewInodes } from './processes/new-inodes.ts'
import type { Sampler } from './processes/sampler.ts'
import { inSlices } from './steps.ts'

/** One trial seen by witness W1, from its *before* manifest to its end. */
export interface RunningObservation extends Disposable {
  readonly started: ObservationStarted
  readonly subject: Subject
  /** What was sampled of its processes so far. */
  readonly processes: () => Processes | undefined
  /** Takes the *after* manifest and says everything. The victim should be dead by now, so that nothing moves. */
  readonly end: (end: ObservationEnd, live?: LiveObservation) => Promise<Observation>
}

export interface BeginDependencies extends ObservationDependencies {
  /** Begins to sample the victim's processes. */
  readonly sample?: (held: HeldRoot) => Sampler | undefined
  /** Keeps what the victim wrote. */
  readonly evidence?: EvidenceStore
}

/** Begins the observation of a held victim. The observation owns `held` once it has begun. */
export async function beginObservation(
  held: HeldRoot,
  request: ObservationRequest,
  dependencies: BeginDependencies,
  signal?: AbortSignal,
): Promise<RunningObservation> {
  const { clock, limits } = dependencies
  const blind = new BlindSpots()
  const startedAt = clock.now().toISOString()
  const begin = clock.elapsed()
  const before = await inSlices(captureBefore(held, request.decoys, blind, dependencies), clock, signal)
  const { entries, manifest, decoys } = before
  const beforeMs = clock.elapsed() - begin
  const tokens = new Map(request.tokens.map(({ token, fixture, site }) => [token, { fixture, site }]))
  const subject = { tokens, decoys }
  const sampler = dependencies.sample?.(held)

  const end = async (
    { deliveries }: ObservationEnd,
    live = withoutLive('nothing watched this trial live'),
  ): Promise<Observation> => {
    const blindAfter = new BlindSpots()
    const from = clock.elapsed()
    const keeping = new Keeping(dependencies.evidence, request.trial, blindAfter)
    const options = {
      limits,
      blind: blindAfter,
      expired: deadline(clock, limits),
      // The clock gives whole milliseconds, and the file system parts of them.
      stillSinceMs: clock.now().getTime() + 1,
      deliveries: new Set(deliveries),
      keeping,
    }
    // Before the walk, which would count as a gap in which nothing was sampled.
    const processes = sampler?.end() ?? withoutProcesses(from - begin)
    const seen = await inSlices(compare(held, manifest, subject, options), clock, signal)
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
      manifestBefore: before.hash,
      manifestAfter: seen.hash,
      evidence: keeping.result(),
      live,
      processes: withNewInodes(processes, seen.changes),
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
