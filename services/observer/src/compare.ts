import type { Change, DecoyState, Observation } from '@landfall/contracts'
import { tokenPrefix } from '@landfall/contracts'
import type { BlindSpots } from './blindness.ts'
import type { Content, ContentBudget } from './content.ts'
import { readContent } from './content.ts'
import type { CapturedDecoy } from './decoy-tracker.ts'
import { DecoyTracker } from './decoy-tracker.ts'
import type { EntryDifference } from './diff.ts'
import { Difference } from './diff.ts'
import type { RawEntry } from './entry.ts'
import { toEntry } from './entry.ts'
import { Findings } from './findings.ts'
import type { HeldRoot } from './held.ts'
import type { Limits } from './limits.ts'
import type { Manifest } from './manifest.ts'
import { resolveTarget } from './resolve.ts'
import { findTokens } from './search.ts'
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
  /** Digests of what was delivered: such a file is no landing. */
  readonly deliveries?: ReadonlySet<string>
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
}

export function compare(held: HeldRoot, before: Manifest, subject: Subject, options: CompareOptions): Comparison {
  const { limits, blind, expired } = options
  const known = new Set([...subject.tokens.keys(), ...subject.decoys.map(({ token }) => token)])
  const budget: ContentBudget = {
    limits,
    blind,
    expired,
    known,
    left: limits.contentBytes,
    zerosLeft: limits.contentBytes,
  }
  const findings = new Findings(subject.tokens, known, limits, blind)
  const tracker = new DecoyTracker(subject.decoys)
  const difference = new Difference(before)
  const manifest = new Map<string, RawEntry>()

  const visit = (key: string, entry: RawEntry, dir: number, name: Uint8Array): void => {
    if (options.keep === true && manifest.size < limits.manifestEntries) manifest.set(key, entry)
    tracker.seen(key, entry)
    const found = difference.see(key, entry)
    if (found === undefined || found.kind === 'removed') return
    const content = entry.type === 'file' ? readContent(key, entry, dir, name, budget) : undefined
    const resolved = entry.target === undefined ? undefined : resolveTarget(held, parentKey(key), entry.target)
    tracker.differs(key, entry, content, resolved)
    const delivery = content?.sha256 !== undefined && options.deliveries?.has(content.sha256) === true
    const facts = {
      ...(content?.sha256 === undefined ? {} : { sha256: content.sha256 }),
      ...(resolved === undefined ? {} : { resolved: resolved.key }),
    }
    findings.change(key, entry.target, () => toChange(found, facts, delivery))
    search(findings, key, entry, delivery ? undefined : content)
  }

  const entries = walk(held, { limits, blind, expired, visit })
  for (const removed of difference.removed()) {
    if (!blind.mayHide(removed.key)) findings.change(removed.key, undefined, () => toChange(removed, {}, false))
  }
  return { entries, ...findings.result(), decoys: tracker.result(), manifest }
}

function parentKey(key: string): string {
  return key.slice(0, Math.max(1, key.lastIndexOf('/')))
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

function search(findings: Findings, key: string, entry: RawEntry, content: Content | undefined): void {
  for (const [token, offset] of content?.tokens ?? []) findings.token(token, key, 'content', offset)
  const name = key.slice(key.lastIndexOf('/') + 1)
  if (name.includes(tokenPrefix)) searchText(findings, key, name, 'name')
  if (entry.target?.includes(tokenPrefix) === true) searchText(findings, key, entry.target, 'target')
}

function searchText(findings: Findings, key: string, text: string, place: 'name' | 'target'): void {
  const tokens = new Set<string>()
  findTokens(Buffer.from(text, 'latin1'), (token) => tokens.add(token))
  for (const token of tokens) findings.token(token, key, place)
}
