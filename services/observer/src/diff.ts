import type { RawEntry } from './entry.ts'
import { sameInode } from './entry.ts'
import type { Manifest, ManifestNode } from './manifest.ts'

/** How two manifests differ. Pure: what can hide an entry is the caller's to know. */

export type EntryDifference =
  | { readonly kind: 'added'; readonly key: string; readonly after: RawEntry }
  | {
      readonly kind: 'changed'
      readonly key: string
      readonly before: RawEntry
      readonly after: RawEntry
      readonly fields: string[]
    }
  | { readonly kind: 'removed'; readonly key: string; readonly before: RawEntry }

/** Names of the contract's fields that differ between two entries. */
export function differingFields(before: RawEntry, after: RawEntry): string[] {
  const fields: string[] = []
  const check = (name: string, same: boolean): void => {
    if (!same) fields.push(name)
  }
  check('type', before.type === after.type)
  check('mode', before.mode === after.mode)
  check('uid', before.uid === after.uid)
  check('gid', before.gid === after.gid)
  check('size', before.size === after.size)
  check('links', before.links === after.links)
  check('dev', before.dev === after.dev)
  check('ino', before.inoLow === after.inoLow && before.inoHigh === after.inoHigh)
  check('mtimeNs', before.mtimeSeconds === after.mtimeSeconds && before.mtimeNanos === after.mtimeNanos)
  check('ctimeNs', before.ctimeSeconds === after.ctimeSeconds && before.ctimeNanos === after.ctimeNanos)
  check('target', before.target === after.target)
  check('xattrs', before.xattrs === after.xattrs)
  return fields
}

/** The same question as an empty {@link differingFields} but for the attributes, without making a list for each of ten thousand entries. */
function same(a: RawEntry, b: RawEntry): boolean {
  return (
    sameInode(a, b) &&
    a.ctimeNanos === b.ctimeNanos &&
    a.ctimeSeconds === b.ctimeSeconds &&
    a.mtimeNanos === b.mtimeNanos &&
    a.mtimeSeconds === b.mtimeSeconds &&
    a.size === b.size &&
    a.mode === b.mode &&
    a.links === b.links &&
    a.uid === b.uid &&
    a.gid === b.gid &&
    a.type === b.type &&
    a.target === b.target
  )
}

let comparisons = 0

/** An entry of the later state, held against the earlier one. */
export interface Met {
  /** What stood at the same path before. */
  readonly before: ManifestNode | undefined
  readonly same: boolean
}

/**
 * A difference that is found entry by entry while the later state is still being walked, so that the later
 * manifest need not be kept and content can be read where it is met.
 */
export class Difference {
  readonly #before: Manifest
  readonly #number: number

  constructor(before: Manifest) {
    this.#before = before
    this.#number = comparisons += 1
  }

  /**
   * Takes one entry of the later state: `name` in the directory that was `within` before (a mount's own path
   * without one). `after` may still lack its extended attributes, which cannot change without the entry's ctime.
   */
  meet(within: ManifestNode | undefined, name: string, after: RawEntry): Met {
    const before = this.#before.child(within, name)
    if (before === undefined) return { before, same: false }
    before.met = this.#number
    return { before, same: same(before.entry, after) }
  }

  /** What the later state has not, parents before children. */
  *removed(): Generator<EntryDifference & { kind: 'removed' }> {
    for (const [key, { met, entry }] of this.#before.all()) {
      if (met !== this.#number) yield { kind: 'removed', key, before: entry }
    }
  }
}

/** How one entry differs; `before` is undefined for a new one. */
export function entryDifference(key: string, before: RawEntry | undefined, after: RawEntry): EntryDifference {
  if (before === undefined) return { kind: 'added', key, after }
  return { kind: 'changed', key, before, after, fields: differingFields(before, after) }
}
