import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawEntry } from './entry.ts'
import { ManifestHash } from './manifest-hash.ts'
import { fieldChanges, sampleEntry } from './testing/manifests.ts'

type Item =
  | { readonly directory: string; readonly depth?: number }
  | { readonly name: string; readonly entry: RawEntry; readonly sha256?: string }

function hashOf(items: readonly Item[]): string {
  const hash = new ManifestHash()
  for (const item of items) {
    if ('directory' in item) hash.directory(item.directory, item.depth)
    else hash.entry(item.name, item.entry, item.sha256)
  }
  return hash.digest()
}

const u32 = fc.nat({ max: 2 ** 32 - 1 })
const seconds = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
const text = fc.oneof(
  fc.uint8Array({ maxLength: 255 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  // Longer than the buffer that records are gathered in.
  fc.integer({ min: 8_000, max: 140_000 }).map((length) => 'x'.repeat(length)),
)
const entry: fc.Arbitrary<RawEntry> = fc.record(
  {
    type: fc.constantFrom('file', 'directory', 'symlink', 'fifo', 'socket', 'char-device', 'block-device'),
    mode: fc.nat({ max: 0o7777 }),
    uid: u32,
    gid: u32,
    size: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
    links: u32,
    dev: fc.nat({ max: 2 ** 52 }),
    inoHigh: u32,
    inoLow: u32,
    mtimeSeconds: seconds,
    mtimeNanos: u32,
    ctimeSeconds: seconds,
    ctimeNanos: u32,
    target: text,
    xattrs: text,
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
const item: fc.Arbitrary<Item> = fc.oneof(
  fc.record({ directory: text, depth: fc.nat({ max: 5_000 }) }),
  fc.record({ name: fc.string({ maxLength: 255, unit: 'binary-ascii' }), entry }),
)

describe('the hash of a manifest', () => {
  it('is the same for equal manifests and another for any other', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), fc.array(item, { maxLength: 20 }), (a, b) => {
        expect(hashOf(a)).toBe(hashOf(structuredClone(a)))
        const equal = JSON.stringify(a) === JSON.stringify(b)
        expect(hashOf(a) === hashOf(b)).toBe(equal)
      }),
    )
  })

  it.each(fieldChanges)('changes with %s alone', (_, change) => {
    const changed = { ...sampleEntry, ...change }
    expect(hashOf([{ name: 'x', entry: changed }])).not.toBe(hashOf([{ name: 'x', entry: sampleEntry }]))
  })

  it('changes with a name, a directory, a digest and the order', () => {
    const a = { name: 'a', entry: sampleEntry }
    const b = { name: 'b', entry: sampleEntry }
    const all = [
      [],
      [a],
      [b],
      [a, b],
      [b, a],
      [{ directory: 'a' }],
      [{ directory: 'a', depth: 1 }],
      [{ ...a, sha256: 'f'.repeat(64) }],
    ]
    expect(new Set(all.map(hashOf)).size).toBe(all.length)
  })

  it('cannot be made equal by moving a byte from one field to the next', () => {
    const plain = { ...sampleEntry, target: 'ab', xattrs: 'c' }
    const moved = { ...sampleEntry, target: 'a', xattrs: 'bc' }
    expect(hashOf([{ name: '', entry: plain }])).not.toBe(hashOf([{ name: '', entry: moved }]))
  })
})
