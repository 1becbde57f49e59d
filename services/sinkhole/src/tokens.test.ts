import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTokens, TokenScanner } from './tokens.ts'

const hexDigits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: 32, maxLength: 32 })
const tokens = hexDigits.map((digits) => `LFC-${digits}`)
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const percent = (text: string) =>
  [...latin1(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
const encodings = {
  plain: (token: string) => token,
  percent,
  'percent twice': (token: string) => percent(token).replaceAll('%', '%25'),
  base64: (token: string) => latin1(token).toString('base64'),
  base64url: (token: string) => latin1(token).toString('base64url'),
  hex: (token: string) => latin1(token).toString('hex'),
  'upper case': (token: string) => token.toUpperCase(),
}

describe('findTokens', () => {
  it.each(Object.entries(encodings))('finds a token that is written as %s, whatever stands around it', (_, encode) => {
    fc.assert(
      fc.property(tokens, fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (token, before, after) => {
        const text = latin1(`${before}\n${encode(token)}\n${after}`).toString('latin1')
        expect(findTokens(text).map((found) => found.token)).toContain(token)
      }),
    )
  })

  it('finds a token at any place in what was put into base64', () => {
    fc.assert(
      fc.property(
        tokens,
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ maxLength: 40 }),
        (token, before, after) => {
          const text = Buffer.concat([before, latin1(token), after]).toString('base64')
          expect(findTokens(text)).toEqual([{ token, as: 'base64' }])
        },
      ),
    )
  })

  it('finds nothing in noise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        expect(findTokens(Buffer.from(bytes).toString('latin1'))).toEqual([])
      }),
    )
  })

  it('takes time in proportion to a hostile text', () => {
    for (const text of ['TEZDL', 'xGQy', '%', '%25', '4c46432d', 'LFC-'].map((part) => part.repeat(200_000))) {
      const from = performance.now()
      expect(findTokens(text)).toEqual([])
      expect(performance.now() - from).toBeLessThan(3_000)
    }
  })
})

describe('TokenScanner', () => {
  it('finds what it would find in the whole, however it is cut', () => {
    const encode = fc.constantFrom(...Object.values(encodings))
    fc.assert(
      fc.property(tokens, encode, fc.nat(300), fc.integer({ min: 1, max: 400 }), (token, as, lead, size) => {
        const bytes = latin1(`${'.'.repeat(lead)}${as(token)}${'.'.repeat(lead)}`)
        const scanner = new TokenScanner()
        for (let at = 0; at < bytes.length; at += size) scanner.add(bytes.subarray(at, at + size))
        expect(scanner.found.map((found) => found.token)).toEqual([token])
      }),
    )
  })
})
