import type { Change, DecoyState, Observation } from '@landfall/contracts'
import { tokenPrefix } from '@landfall/contracts'
import type { BlindSpots } from './blindness.ts'
import type { Content, ContentBudget } from './content.ts'
import { readContent } from './content.ts'
import type { CapturedDecoy } from './decoy-tracker.ts'
import { DecoyTracker } from './decoy-tracker.ts'
import { Difference, entryDifference } from './diff.ts'
import type { EntryDifference } from './diff.ts'
import type { RawEntry } from './entry.ts'
import { toEntry } from './entry.ts'
import type { Keeping } from './evidence/keeping.ts'
import { Findings } from './findings.ts'
import type { HeldRoot } from './held.ts'
import type { Limits } from './limits.ts'
import { ManifestHash } from './manifest-hash.ts'
import type { ManifestNode } from './manifest.ts'
import { Manifest } from './manifest.ts'
import type { Resolved } from './resolve.ts'
import { resolveTarget } from './resolve.ts'
import { findTokens } from './search.ts'
import type { Spot } from './spot.ts'
import type { Steps } from './steps.ts'
import { walk } from './walk.ts'

/** Walks a victim again and says what is different from an earlier manifest, content and tokens included. */

/** What an observation looks for. */
export interface Subject {
  readonly tokens: ReadonlyMap<string, { readonly fixture: string; readonly site: string }>
  readonly decoys: readonly CapturedDecoy[]
}

export interface CompareOptions {
  readonly limits: Limits
  readonly blind: BlindSpots
  readonly expired: () => boolean
  /** See the option of the walk. Not for a victim that lives. */
  readonly stillSinceMs?: number
  /** Digests of what was delivered: such a file is no landing. */
  readonly deliveries?: ReadonlySet<string>
  /** Keeps the content of what is new or changed. */
  readonly keeping?: Keeping
  /** Keep the later manifest, to compare with next time. */
  readonly keep?: boolean
}

export interface Comparison {
  readonly entries: number
  readonly changes: Change[]
  readonly sightings: Observation['sightings']
  readonly foreignTokens: Observation['foreignTokens']
  readonly decoys: DecoyState[]
  /** Empty unless asked for. */
  readonly manifest: Manifest
  /** Hash of the later manifest. */
  readonly hash: string
}

/** What stood in a directory before, and what stands in it now if that is kept. */
interface Within {
  readonly before: ManifestNode | undefined
  readonly now: ManifestNode | undefined
}

export function* compare(
  held: HeldRoot,
  before: Manifest,
  subject: Subject,
  options: CompareOptions,
): Steps<Comparison> {
  const { limits, blind, expired } = options
  const comparing = new Comparing(held, before, subject, options)
  const entries = yield* walk<Within>(held, {
    limits,
    blind,
    expired,
    ...(options.stillSinceMs === undefined ? {} : { stillSinceMs: options.stillSinceMs }),
    visit: (entry, spot) => comparing.visit(entry, spot),
    enter: (name, depth) => comparing.hash.directory(name, depth),
  })
  return { entries, ...comparing.result() }
}

class Comparing {
  readonly hash = new ManifestHash()
  readonly #held: HeldRoot
  readonly #options: CompareOptions
  readonly #budget: ContentBudget
  readonly #findings: Findings
  readonly #tracker: DecoyTracker
  readonly #difference: Difference
  readonly #manifest = new Manifest()

  constructor(held: HeldRoot, before: Manifest, subject: Subject, options: CompareOptions) {
    const { limits, blind, expired } = options
    const known = new Set([...subject.tokens.keys(), ...subject.decoys.map(({ token }) => token)])
    this.#held = held
    this.#options = options
    const left = limits.contentBytes
    const { keeping } = options
    this.#budget = { limits, blind, expired, known, left, zerosLeft: left, ...(keeping && { keeping }) }
    this.#findings = new Findings(subject.tokens, known, limits, blind)
    this.#tracker = new DecoyTracker(subject.decoys, before)
    this.#difference = new Difference(before)
  }

  visit(stated: RawEntry, spot: Spot<Within>): Within {
    const { before, same } = this.#difference.meet(spot.within?.before, spot.name, stated)
    const xattrs = same ? before?.entry.xattrs : spot.xattrs()
    const entry = xattrs === undefined ? stated : { ...stated, xattrs }
    this.#tracker.met(before, entry)
    const sha256 = same ? undefined : this.#differs(before, entry, spot)
    if (spot.isMount) this.hash.directory(spot.name)
    this.hash.entry(spot.isMount ? '' : spot.name, entry, sha256)
    return { before, now: this.#kept(spot, entry) }
  }

  /** Answers the digest, if the entry has one. */
  #differs(before: ManifestNode | undefined, entry: RawEntry, spot: Spot<Within>): string | undefined {
    const content = entry.type === 'file' ? readContent(() => spot.key(), entry, spot, this.#budget) : undefined
    const resolved = this.#resolve(entry, spot)
    this.#tracker.differs(before, () => spot.key(), entry, content, resolved)
    const sha256 = content?.sha256
    const delivery = sha256 !== undefined && this.#options.deliveries?.has(sha256) === true
    this.#findings.change(spot.keyLength, entry.target, () => {
      const facts = { ...(sha256 === undefined ? {} : { sha256 }), ...(resolved && { resolved: resolved.key }) }
      return toChange(entryDifference(spot.key(), before?.entry, entry), facts, delivery)
    })
    this.#search(spot, entry, delivery ? undefined : content)
    return sha256
  }

  #resolve({ target }: RawEntry, spot: Spot<Within>): Resolved | undefined {
    // Costs as much as the path is long, and a victim can have many long ones.
    if (target === undefined || this.#options.expired()) return undefined
    return resolveTarget(this.#held, spot.parentKey(), target)
  }

  #kept(spot: Spot<Within>, entry: RawEntry): ManifestNode | undefined {
    const parent = spot.within?.now
    if (this.#options.keep !== true || this.#manifest.size >= this.#options.limits.manifestEntries) return undefined
    return spot.isMount || parent !== undefined ? this.#manifest.add(parent, spot.name, entry) : undefined
  }

  #search(spot: Spot<Within>, entry: RawEntry, content: Content | undefined): void {
    const key = (): string => spot.key()
    for (const [token, offset] of content?.tokens ?? []) this.#findings.token(token, key, 'content', offset)
    const name = spot.isMount ? '' : spot.name
    if (name.includes(tokenPrefix)) for (const token of tokensIn(name)) this.#findings.token(token, key, 'name')
    if (entry.target?.includes(tokenPrefix) !== true) return
    for (const token of tokensIn(entry.target)) this.#findings.token(token, key, 'target')
  }

  result(): Omit<Comparison, 'entries'> {
    const { blind } = this.#options
    for (const removed of this.#difference.removed()) {
      if (blind.mayHide(removed.key)) continue
      this.#findings.change(removed.key.length, undefined, () => toChange(removed, {}, false))
    }
    return {
      ...this.#findings.result(),
      decoys: this.#tracker.result((key) => blind.mayHide(key)),
      manifest: this.#manifest,
      hash: this.hash.digest(),
    }
  }
}

function toChange(found: EntryDifference, facts: { sha256?: string; resolved?: string }, delivery: boolean): Change {
  const { path, ...rest } = toEntry(found.key, found.kind === 'removed' ? found.before : found.after, facts)
  const entry = { path, ...rest }
  if (found.kind === 'removed') return { kind: 'removed', path, before: entry }
  const mark = delivery ? { delivery: true as const } : {}
  if (found.kind === 'added') return { kind: 'added', path, after: entry, ...mark }
  return {
    kind: 'changed',
    path,
    before: toEntry(found.key, found.before),
    after: entry,
    fields: found.fields,
    ...mark,
  }
}

function tokensIn(text: string): Set<string> {
  const tokens = new Set<string>()
  findTokens(Buffer.from(text, 'latin1'), (token) => tokens.add(token))
  return tokens
}
