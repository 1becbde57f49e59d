import { setTimeout as sleep } from 'node:timers/promises'
import { decoys, decoyToken, fixtureTokens, rows } from '@landfall/catalog'
import type { Change, ObservationRequest, Processes } from '@landfall/contracts'
import { deriveCanary, manualTrial, users, victimLayout } from '@landfall/contracts'
import { BlindSpots } from './blindness.ts'
import { captureBefore, deadline } from './capture.ts'
import type { Subject } from './compare.ts'
import { compare } from './compare.ts'
import type { CapturedDecoy } from './decoy-tracker.ts'
import { toEntry, wire } from './entry.ts'
import { Keeping } from './evidence/keeping.ts'
import { findVictim } from './find-victim.ts'
import type { HeldRoot } from './held.ts'
import type { LiveTrial, LiveWitness } from './live/witness.ts'
import type { Manifest } from './manifest.ts'
import type { Narrator } from './narrator.ts'
import type { BeginDependencies } from './observation.ts'
import { isDelivered } from './report.ts'
import { inSlices } from './steps.ts'

/**
 * Watches the victim that a person drives by hand, and tells what lands as it lands.
 *
 * A convenience: the victim lives and moves while it is looked at, so what is missed here proves nothing, and
 * what lies in the fetcher's inbox is taken for a delivery without holding it against digests. Trials are
 * observed by `observation.ts`.
 */
export interface ManualWatchOptions extends BeginDependencies {
  readonly hold: (marker: string) => HeldRoot | undefined
  readonly isAlive?: (held: HeldRoot) => boolean
  readonly narrator: Narrator
  /** Witness W3, for reads of decoys and the order of things. */
  readonly live?: LiveWitness
  /** Told of the victim when it is met, and that it is gone. */
  readonly onMet?: (held: HeldRoot | undefined) => void
  readonly demoSeed: string
  readonly signal?: AbortSignal
  /** Shortens the pauses in tests. */
  readonly pace?: number
}

const lookMs = 500
const busyMs = 1_000
const idleMs = 2_000
/** A round may take this part of the time until the next. */
const share = 0.1

export function manualSubject(demoSeed: string): Pick<ObservationRequest, 'tokens' | 'decoys'> {
  const canary = deriveCanary(demoSeed, manualTrial)
  return {
    tokens: rows.flatMap((row) => fixtureTokens(row, canary)),
    decoys: users.flatMap((user) =>
      decoys.map(({ name, path }) => ({
        name,
        path: `${victimLayout(user).home}/${path}`,
        token: decoyToken(canary, name),
      })),
    ),
  }
}

/** Never returns unless `signal` aborts, then it rejects with an AbortError. */
export async function watchManual(options: ManualWatchOptions): Promise<never> {
  const pause = (ms: number): Promise<void> => sleep(ms * (options.pace ?? 1), undefined, { signal: options.signal })
  for (;;) {
    const held = options.hold(manualTrial)
    if (held === undefined) {
      await pause(lookMs)
      continue
    }
    using victim = held
    using sampler = options.sample?.(victim)
    options.onMet?.(victim)
    using live = options.live?.begin(victim, { trial: manualTrial, ...manualSubject(options.demoSeed) })
    try {
      await follow(victim, options, pause, () => sampler?.result(), live)
    } catch (error) {
      if (options.signal?.aborted === true) throw error
      // Whatever a victim does to one round, the next one is watched.
      options.narrator.blind(manualTrial, [{ kind: 'unreadable', detail: `the round failed: ${String(error)}` }])
      await pause(idleMs)
    } finally {
      options.onMet?.(undefined)
    }
  }
}

async function follow(
  held: HeldRoot,
  options: ManualWatchOptions,
  pause: (ms: number) => Promise<void>,
  sampled: () => Processes | undefined,
  live: LiveTrial | undefined,
): Promise<void> {
  const { narrator, demoSeed, clock, limits, isAlive = stillMarked } = options
  const { tokens, decoys: asked } = manualSubject(demoSeed)
  const before = await inSlices(captureBefore(held, asked, new BlindSpots(), options), clock)
  let subject: Subject = {
    tokens: new Map(tokens.map(({ token, fixture, site }) => [token, { fixture, site }])),
    decoys: before.decoys.filter(({ entry }) => entry !== undefined),
  }
  const opening = {
    trial: manualTrial,
    entries: before.entries,
    fixtures: [],
    decoys: subject.decoys.map(({ name, key }) => ({ name, path: wire(key) })),
    rounds: true,
  }
  await live?.arm(subject.decoys)
  narrator.begin(opening, `watching the victim that is driven by hand: ${before.entries} entries`, sampled)
  const keeping = new Keeping(options.evidence, manualTrial, new BlindSpots())
  let manifest: Manifest = before.manifest
  for (let alive = true; alive;) {
    // Asked first: what a dying victim did last is still seen.
    alive = isAlive(held)
    const from = clock.elapsed()
    const blind = new BlindSpots()
    const comparing = { limits, blind, expired: deadline(clock, limits), keep: true, keeping }
    await live?.own(true)
    const seen = await inSlices(compare(held, manifest, subject, comparing), clock)
    const soFar = await live?.own(false, mayHaveReadDecoys(seen.changes, subject))
    manifest = seen.manifest
    subject = { ...subject, decoys: subject.decoys.map((decoy) => withLinks(decoy, manifest)) }
    const sightings = seen.sightings.filter(({ path }) => !isDelivered(path))
    narrator.seen(manualTrial, rows, { ...seen, sightings })
    if (soFar !== undefined) narrator.live(manualTrial, soFar)
    narrator.blind(
      manualTrial,
      blind.list().filter(({ kind }) => kind !== 'vanished'),
    )
    const took = clock.elapsed() - from
    if (alive) await pause(Math.max(seen.changes.length > 0 ? busyMs : idleMs, took / share))
  }
  narrator.end(manualTrial, 'the victim is gone')
}

/** A round reads the content of what is new or changed, and a decoy may be among it, by its own or another name. */
function mayHaveReadDecoys(changes: readonly Change[], { decoys }: Subject): boolean {
  const inodes = new Set(decoys.map(({ key, entry }) => (entry === undefined ? '' : toEntry(key, entry).ino)))
  return changes.some(({ after }) => after !== undefined && inodes.has(after.ino))
}

/** A link that was told is no news in the next round, though the decoy's count stays higher. */
function withLinks(decoy: CapturedDecoy, manifest: Manifest): CapturedDecoy {
  const links = manifest.find(decoy.key)?.entry.links
  if (decoy.entry === undefined || links === undefined) return decoy
  return { ...decoy, entry: { ...decoy.entry, links } }
}

/** The number of a dead process may be given to another, which would not carry the mark. */
function stillMarked({ pid }: HeldRoot): boolean {
  return findVictim(manualTrial).includes(pid)
}
