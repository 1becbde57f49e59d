import type { RawEntry } from './entry.ts'
import { sameInode } from './entry.ts'
import type { Manifest } from './manifest.ts'

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
  return fields
}

/** The same question as an empty {@link differingFields}, without making a list for each of ten thousand entries. */
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

/**
 * A difference that is found entry by entry while the later state is still being walked, so that the later
 * manifest need not be kept and content can be read where it is met.
 */
export class Difference {
  readonly #before: Manifest
  readonly #unseen: Set<string>

  constructor(before: Manifest) {
    this.#before = before
    this.#unseen = new Set(before.keys())
  }

  /** Takes one entry of the later state; answers what is different about it, if anything. */
  see(key: string, after: RawEntry): EntryDifference | undefined {
    const before = this.#before.get(key)
    if (before === undefined) return { kind: 'added', key, after }
    this.#unseen.delete(key)
    if (same(before, after)) return undefined
    return { kind: 'changed', key, before, after, fields: differingFields(before, after) }
  }

  /** What the later state has not, parents before children. */
  *removed(): Generator<EntryDifference & { kind: 'removed' }> {
    for (const key of this.#unseen) {
      const before = this.#before.get(key)
      if (before !== undefined) yield { kind: 'removed', key, before }
    }
  }
}

/** The whole difference of two manifests. */
export function diff(before: Manifest, after: Manifest): EntryDifference[] {
  const difference = new Difference(before)
  const seen = [...after].flatMap(([key, entry]) => difference.see(key, entry) ?? [])
  return [...seen, ...difference.removed()]
}
