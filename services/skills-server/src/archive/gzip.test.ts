import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillerPieces, gzip, gzipOf, gzipPiece, measurements, zeros } from './gzip.ts'

describe('gzipOf', () => {
  it('unpacks to its pieces, one after the other', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 2000 }), { maxLength: 5 }), (parts) => {
        const packed = gzipOf(parts.map((part) => gzipPiece(Buffer.from(part))))
        // gunzip checks the CRC and the size as well.
        expect(gunzipSync(packed)).toEqual(Buffer.concat(parts))
      }),
    )
  })

  it.each([zeros, measurements])('unpacks $name of any size between other pieces', (filler) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 * 1024 * 1024 }), (size) => {
        const pieces = [gzipPiece(Buffer.from('<')), ...fillerPieces(filler, size), gzipPiece(Buffer.from('>'))]
        const expected = Buffer.concat([Buffer.from('<'), Buffer.alloc(size, filler.block), Buffer.from('>')])
        expect(gunzipSync(gzipOf(pieces)).equals(expected)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  it('packs zeros about a thousand to one, and measurements well below what hosts take for a bomb', () => {
    const ratio = (filler: typeof zeros) => (8 * 2 ** 20) / gzipOf(fillerPieces(filler, 8 * 2 ** 20)).length
    expect(ratio(zeros)).toBeGreaterThan(1000)
    expect(ratio(measurements)).toBeGreaterThan(50)
    expect(ratio(measurements)).toBeLessThan(300)
  })
})

describe('gzip', () => {
  it('states no time and no operating system', () => {
    expect(gzip(Buffer.from('text')).subarray(0, 10).toString('hex')).toBe('1f8b08000000000000ff')
  })
})
