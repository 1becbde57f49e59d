import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeEvents } from './raw.ts'

interface Raw {
  readonly wd: number
  readonly mask: number
  readonly cookie: number
  readonly name: string
  /** NULs after the name, as the kernel aligns the next event. */
  readonly padding: number
}

function encode({ wd, mask, cookie, name, padding }: Raw): Buffer {
  const bytes = Buffer.alloc(16 + (name === '' ? 0 : name.length + padding))
  bytes.writeInt32LE(wd, 0)
  bytes.writeUInt32LE(mask, 4)
  bytes.writeUInt32LE(cookie, 8)
  bytes.writeUInt32LE(bytes.length - 16, 12)
  bytes.write(name, 16, 'latin1')
  return bytes
}

const anyName = fc
  .uint8Array({ minLength: 0, maxLength: 255 })
  .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0 && byte !== 0x2f)).toString('latin1'))
const anyRaw: fc.Arbitrary<Raw> = fc.record({
  wd: fc.integer({ min: -1, max: 0x7fff_ffff }),
  mask: fc.integer({ min: 0, max: 0xffff_ffff }),
  cookie: fc.integer({ min: 0, max: 0xffff_ffff }),
  name: anyName,
  padding: fc.integer({ min: 1, max: 16 }),
})

function decode(bytes: Buffer, length = bytes.length): { used: number; events: Array<Omit<Raw, 'padding'>> } {
  const events: Array<Omit<Raw, 'padding'>> = []
  const used = decodeEvents(bytes, length, (wd, mask, cookie, name) => events.push({ wd, mask, cookie, name }))
  return { used, events }
}

describe('decodeEvents', () => {
  it('gives back what the kernel wrote, whatever bytes a name is of', () => {
    fc.assert(
      fc.property(fc.array(anyRaw), (raws) => {
        const bytes = Buffer.concat(raws.map(encode))
        const { used, events } = decode(bytes)
        expect(used).toBe(bytes.length)
        expect(events).toEqual(raws.map(({ wd, mask, cookie, name }) => ({ wd, mask, cookie, name })))
      }),
    )
  })

  it('gives only whole events of bytes that are cut anywhere, and says where it stopped', () => {
    fc.assert(
      fc.property(fc.array(anyRaw, { minLength: 1 }), fc.nat(), (raws, at) => {
        const parts = raws.map(encode)
        const bytes = Buffer.concat(parts)
        const length = at % bytes.length
        const { used, events } = decode(bytes, length)
        const ends = parts.map((_, index) => Buffer.concat(parts.slice(0, index + 1)).length)
        const whole = ends.filter((end) => end <= length)
        expect([events.length, used]).toEqual([whole.length, whole.at(-1) ?? 0])
      }),
    )
  })

  it('ends for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(decode(Buffer.from(bytes)).used).toBeLessThanOrEqual(bytes.length)
      }),
    )
  })
})
