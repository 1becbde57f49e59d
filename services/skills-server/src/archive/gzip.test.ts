import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gzip, gzipOf, gzipPiece, zeroPieces } from './gzip.ts'

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

  it('unpacks zeros of any size between other pieces', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 * 1024 * 1024 }), (size) => {
        const unpacked = gunzipSync(
          gzipOf([gzipPiece(Buffer.from('<')), ...zeroPieces(size), gzipPiece(Buffer.from('>'))]),
        )
        expect(unpacked.length).toBe(size + 2)
        expect(unpacked.equals(Buffer.concat([Buffer.from('<'), Buffer.alloc(size), Buffer.from('>')]))).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})

describe('gzip', () => {
  it('states no time and no operating system', () => {
    expect(gzip(Buffer.from('text')).subarray(0, 10).toString('hex')).toBe('1f8b08000000000000ff')
  })
})
