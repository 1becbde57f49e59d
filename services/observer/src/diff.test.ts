import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryDifference } from './diff.ts'
import { diff } from './diff.ts'
import type { RawEntry } from './entry.ts'
import type { Manifest } from './manifest.ts'

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
const manifest: fc.Arbitrary<Manifest> = fc
  .dictionary(fc.constantFrom('/', '/a', '/a/b', '/a/b/c', '/d', '/\xff'), entry)
  .map((entries) => new Map(Object.entries(entries)))

function apply(before: Manifest, differences: readonly EntryDifference[]): Manifest {
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

  const base: RawEntry = {
    type: 'symlink',
    mode: 1,
    uid: 1,
    gid: 1,
    size: 1,
    links: 1,
    dev: 1,
    inoHigh: 1,
    inoLow: 1,
    mtimeSeconds: 1,
    mtimeNanos: 1,
    ctimeSeconds: 1,
    ctimeNanos: 1,
    target: 't',
  }
  it.each<[string, Partial<RawEntry>]>([
    ['type', { type: 'file' }],
    ['mode', { mode: 2 }],
    ['uid', { uid: 2 }],
    ['gid', { gid: 2 }],
    ['size', { size: 2 }],
    ['links', { links: 2 }],
    ['dev', { dev: 2 }],
    ['ino', { inoHigh: 2 }],
    ['ino', { inoLow: 2 }],
    ['mtimeNs', { mtimeNanos: 2 }],
    ['mtimeNs', { mtimeSeconds: 2 }],
    ['ctimeNs', { ctimeNanos: 2 }],
    ['ctimeNs', { ctimeSeconds: 2 }],
    ['target', { target: 'u' }],
  ])('names %s alone when it alone differs', (field, other) => {
    const differences = diff(new Map([['/x', base]]), new Map([['/x', { ...base, ...other }]]))
    expect(differences).toMatchObject([{ kind: 'changed', fields: [field] }])
  })
})
