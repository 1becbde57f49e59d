import { deriveToken } from '@landfall/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTokens, TokenStream } from './search.ts'

const token = deriveToken('canary', 'fixture', 'site')
const other = deriveToken('canary', 'fixture', 'other')

function inWhole(bytes: Buffer): Map<string, number> {
  const found = new Map<string, number>()
  findTokens(bytes, (text, at) => {
    if (!found.has(text)) found.set(text, at)
  })
  return found
}

function inChunks(bytes: Buffer, sizes: readonly number[]): Map<string, number> {
  const stream = new TokenStream(new Set([token, other]), 100)
  const chunk = Buffer.alloc(4096)
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = Math.min(sizes[turn % sizes.length] ?? 1, bytes.length - at)
    // One buffer for all chunks, as the reader does it: nothing may be remembered by reference.
    bytes.copy(chunk, 0, at, at + size)
    stream.feed(chunk.subarray(0, size))
    at += size
  }
  return stream.found
}

describe('findTokens', () => {
  it.each([
    ['nothing', '', []],
    ['the bare prefix', 'LFC-', []],
    ['a cut token', token.slice(0, -1), []],
    ['upper-case digits', token.toUpperCase(), []],
    ['a digit that is none in the middle', `${token.slice(0, 20)}g${token.slice(21)}`, []],
    ['one', `..${token}..`, [token]],
    ['two in a row', `${token}${other}`, [token, other]],
    ['after a false start', `LFC-LFC-LFC-${token.slice(4)}`, [token]],
    ['one with more digits after it', `${token}00`, [token]],
  ])('%s', (_, text, expected) => {
    expect([...inWhole(Buffer.from(text)).keys()]).toEqual(expected)
  })
})

describe('TokenStream', () => {
  it('finds the same wherever the chunks are cut', () => {
    const piece = fc.oneof(
      fc.constantFrom(token, other, 'LFC-', token.slice(0, 30), '0123'),
      fc.string({ maxLength: 60 }),
    )
    const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), sizes, (pieces, cut) => {
        const bytes = Buffer.from(pieces.join(''))
        expect(inChunks(bytes, cut)).toEqual(inWhole(bytes))
      }),
      { numRuns: 500 },
    )
  })

  it('keeps a known token however many made-up ones come first', () => {
    const stream = new TokenStream(new Set([token]), 10)
    const forged = Array.from({ length: 1_000 }, (_, index) => deriveToken('forged', 'f', String(index)))
    stream.feed(Buffer.from(forged.join(' ')))
    stream.feed(Buffer.from(token))
    expect(stream.found.size).toBe(11)
    expect(stream.found.has(token)).toBe(true)
  })

  it('finds nothing across a hole, and counts it in the offset', () => {
    const stream = new TokenStream(new Set([token]), 10)
    stream.feed(Buffer.from(token.slice(0, 18)))
    stream.gap(1_000)
    stream.feed(Buffer.from(token.slice(18)))
    expect(stream.found.size).toBe(0)
    stream.feed(Buffer.from(token))
    expect(stream.found.get(token)).toBe(1_036)
  })
})
