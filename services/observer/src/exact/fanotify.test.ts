import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactTree } from './exact-tree.ts'
import { bits, decodeEvents, type RawEvent } from './fanotify.ts'

/** A record as the kernel writes it: the type, the handle of four bytes, the name. */
function record(type: number, handle: string, name?: string): Buffer {
  const text = name === undefined ? Buffer.alloc(0) : Buffer.from(`${name}\0`, 'latin1')
  const size = Math.ceil((24 + text.length) / 4) * 4
  const bytes = Buffer.alloc(size)
  bytes.writeUInt8(type, 0)
  bytes.writeUInt16LE(size, 2)
  bytes.writeUInt32LE(4, 12)
  bytes.writeInt32LE(1, 16)
  bytes.write(handle, 20, 'hex')
  text.copy(bytes, 24)
  return bytes
}

function event(mask: number, ...records: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(24)
  head.writeUInt32LE(24 + Buffer.concat(records).length, 0)
  head.writeUInt16LE(24, 6)
  head.writeUInt32LE(mask, 8)
  return Buffer.concat([head, ...records])
}

const decoded = (bytes: Buffer): RawEvent[] => {
  const found: RawEvent[] = []
  decodeEvents(bytes, bytes.length, (each) => found.push(each))
  return found
}
const root = '1:00000001'
const tell = (...events: readonly Buffer[]) => {
  const tree = new ExactTree(root)
  return { told: decoded(Buffer.concat(events)).flatMap((each) => tree.tell(each)), counts: tree.counts() }
}

describe('events of a whole file system', () => {
  it('get the paths of directories that are already gone when they are read', () => {
    const { create, delete: gone, isDirectory } = bits
    const { told, counts } = tell(
      event(create | isDirectory, record(2, '00000001', 'd'), record(1, '00000002')),
      event(create | gone, record(2, '00000002', 'f\xff'), record(1, '00000003')),
      event(gone | isDirectory, record(2, '00000001', 'd'), record(1, '00000002')),
    )
    expect(told.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'created /d',
      'created /d/f\xff',
      'deleted /d/f\xff',
      'deleted /d',
    ])
    expect(counts).toEqual({ standing: 0, transient: 2, overflows: 0 })
  })

  it('follow a directory that is renamed', () => {
    const { create, rename, isDirectory } = bits
    const { told } = tell(
      event(create | isDirectory, record(2, '00000001', 'a'), record(1, '00000002')),
      event(rename | isDirectory, record(10, '00000001', 'a'), record(12, '00000001', 'b'), record(1, '00000002')),
      event(create, record(2, '00000002', 'f'), record(1, '00000003')),
    )
    expect(told.slice(1)).toEqual([
      { kind: 'renamed', path: '/b', from: '/a' },
      { kind: 'created', path: '/b/f' },
    ])
  })

  it('say that events were dropped', () => {
    expect(tell(event(bits.overflow)).counts.overflows).toBe(1)
  })

  it('are never read beyond their bytes, whatever these are', () => {
    const whole = event(bits.create, record(2, '00000001', 'name'), record(1, '00000002'))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(whole.length), (noise, cut) => {
        expect(decoded(Buffer.concat([whole, whole.subarray(0, cut === whole.length ? 0 : cut)]))).toHaveLength(1)
        expect(() => decoded(Buffer.from(noise))).not.toThrow()
      }),
    )
  })
})
