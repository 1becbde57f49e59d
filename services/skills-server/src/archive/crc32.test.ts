import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { combineCrc32 } from './crc32.ts'

describe('combineCrc32', () => {
  it('gives the CRC of both parts together', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
        expect(combineCrc32(crc32(a), crc32(b), b.length)).toBe(crc32(Buffer.concat([a, b])))
      }),
    )
  })

  it('holds for a part of many mebibytes', () => {
    const head = Buffer.from('head')
    const zeros = Buffer.alloc(40 * 1024 * 1024 + 7)
    expect(combineCrc32(crc32(head), crc32(zeros), zeros.length)).toBe(crc32(zeros, crc32(head)))
  })
})
