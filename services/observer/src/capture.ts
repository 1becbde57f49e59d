import type { ObservationRequest } from '@landfall/contracts'
import { fromWirePath } from '@landfall/contracts'
import type { BlindSpots } from './blindness.ts'
import type { Clock } from './clock.ts'
import type { ContentBudget } from './content.ts'
import { readContent } from './content.ts'
import type { CapturedDecoy } from './decoy-tracker.ts'
import type { HeldRoot } from './held.ts'
import type { Limits } from './limits.ts'
import { ManifestHash } from './manifest-hash.ts'
import type { ManifestNode } from './manifest.ts'
import { Manifest } from './manifest.ts'
import { atPath } from './resolve.ts'
import type { Steps } from './steps.ts'
import { walk } from './walk.ts'
import type { XattrCache } from './xattr-cache.ts'

/** Takes the *before* manifest, and reads the decoys that stand in it. */

export interface ObservationDependencies {
  readonly clock: Clock
  readonly limits: Limits
  /** Attributes of files that other victims have too. */
  readonly xattrs?: XattrCache
}

export type DecoyRequest = ObservationRequest['decoys'][number]

export interface Captured {
  readonly manifest: Manifest
  readonly decoys: CapturedDecoy[]
  readonly entries: number
  /** Hash of the canonical manifest. */
  readonly hash: string
}

export function* captureBefore(
  held: HeldRoot,
  asked: readonly DecoyRequest[],
  blind: BlindSpots,
  { clock, limits, xattrs: cache }: ObservationDependencies,
): Steps<Captured> {
  const expired = deadline(clock, limits)
  const known = new Set(asked.map(({ token }) => token))
  const nowMs = clock.now().getTime()
  const manifest = new Manifest()
  const hash = new ManifestHash()
  let full = false
  const entries = yield* walk<ManifestNode>(held, {
    limits,
    blind,
    expired,
    enter: (name, depth) => hash.directory(name, depth),
    visit: (stated, spot) => {
      const xattrs = cache === undefined ? spot.xattrs() : spot.xattrsBy(cache, stated, nowMs)
      const entry = xattrs === undefined ? stated : { ...stated, xattrs }
      const { within, name } = spot
      const isTop = spot.isMount
      if (isTop) hash.directory(name)
      hash.entry(isTop ? '' : name, entry)
      full ||= manifest.size >= limits.manifestEntries
      return full || (within === undefined && !isTop) ? undefined : manifest.add(within, name, entry)
    },
  })
  if (full) blind.addEverywhere('entries', `a manifest keeps no more than ${limits.manifestEntries} entries`)
  const left = limits.contentBytes
  const budget: ContentBudget = { limits, blind, expired, known, left, zerosLeft: left }
  const decoys = asked.map((decoy) => captureDecoy(held, manifest, decoy, budget))
  return { manifest, decoys, entries, hash: hash.digest() }
}

function captureDecoy(
  held: HeldRoot,
  manifest: Manifest,
  { name, path, token }: DecoyRequest,
  budget: ContentBudget,
): CapturedDecoy {
  const key = fromWirePath(path).toString('latin1')
  const entry = manifest.find(key)?.entry
  if (entry === undefined) return { name, key, token, ...(budget.blind.mayHide(key) ? { hidden: true } : {}) }
  if (entry.type !== 'file') return { name, key, token, entry }
  const content = atPath(held, key, (place) => readContent(() => key, entry, place, budget))
  return { name, key, token, entry, ...(content?.sha256 === undefined ? {} : { sha256: content.sha256 }) }
}

export function deadline(clock: Clock, limits: Limits): () => boolean {
  const end = clock.elapsed() + limits.walkMs
  return () => clock.elapsed() > end
}
