import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryDifference } from './diff.ts'
import { differingFields } from './diff.ts'
import type { RawEntry } from './entry.ts'
import type { Paths } from './testing/manifests.ts'
import { diff, fieldChanges, sampleEntry } from './testing/manifests.ts'

const small = fc.integer({ min: 0, max: 2 })
const entry: fc.Arbitrary<RawEntry> = fc.record(
  {
    type: fc.constantFrom('file', 'directory', 'symlink', 'fifo'),
    mode: small,
    uid: small,
    gid: small,
    size: small,
    links: small,
    dev: small,
    inoHigh: small,
    inoLow: small,
    mtimeSeconds: small,
    mtimeNanos: small,
    ctimeSeconds: small,
    ctimeNanos: small,
    target: fc.constantFrom('a', 'b'),
  },
  {
    requiredKeys: [
      'type',
      'mode',
      'uid',
      'gid',
      'size',
      'links',
      'dev',
      'inoHigh',
      'inoLow',
      'mtimeSeconds',
      'mtimeNanos',
      'ctimeSeconds',
      'ctimeNanos',
    ],
  },
)
/** A tree: what has no parent is left out. */
const manifest: fc.Arbitrary<Paths> = fc
  .tuple(entry, fc.dictionary(fc.constantFrom('/a', '/a/b', '/a/b/c', '/d', '/\xff'), entry))
  .map(([root, below]) => {
    const has = (path: string): boolean => path === '' || (path in below && has(path.slice(0, path.lastIndexOf('/'))))
    return new Map([['/', root], ...Object.entries(below).filter(([path]) => has(path))])
  })

function apply(before: Paths, differences: readonly EntryDifference[]): Paths {
  const result = new Map(before)
  for (const difference of differences) {
    if (difference.kind === 'removed') result.delete(difference.key)
    else result.set(difference.key, difference.after)
  }
  return result
}

function reversed(difference: EntryDifference): EntryDifference {
  const { key } = difference
  if (difference.kind === 'added') return { kind: 'removed', key, before: difference.after }
  if (difference.kind === 'removed') return { kind: 'added', key, after: difference.before }
  return { ...difference, before: difference.after, after: difference.before }
}

const byKey = (a: EntryDifference, b: EntryDifference): number => (a.key < b.key ? -1 : 1)

describe('diff', () => {
  it('turns the earlier manifest into the later one', () => {
    fc.assert(
      fc.property(manifest, manifest, (a, b) => {
        expect(apply(a, diff(a, b))).toEqual(b)
      }),
    )
  })

  it('is empty between a manifest and its equal', () => {
    fc.assert(
      fc.property(manifest, (a) => {
        expect(diff(a, structuredClone(a))).toEqual([])
      }),
    )
  })

  it('is the same backwards', () => {
    fc.assert(
      fc.property(manifest, manifest, (a, b) => {
        expect(diff(b, a).toSorted(byKey)).toEqual(diff(a, b).map(reversed).toSorted(byKey))
      }),
    )
  })

  it('names at least one field of whatever changed', () => {
    fc.assert(
      fc.property(manifest, manifest, (a, b) => {
        const nameless = diff(a, b).filter((found) => found.kind === 'changed' && found.fields.length === 0)
        expect(nameless).toEqual([])
      }),
    )
  })

  it.each(fieldChanges)('names %s alone when it alone differs', (field, change) => {
    const changed = { ...sampleEntry, ...change }
    expect(differingFields(sampleEntry, changed)).toEqual([field])
    // A walk asks for the attributes only where something else differs, as their ctime always does.
    if (field === 'xattrs') return
    expect(diff(new Map([['/', sampleEntry]]), new Map([['/', changed]]))).toMatchObject([
      { kind: 'changed', fields: [field] },
    ])
  })
})
