import { toWirePath } from '@landfall/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeOf, pieces } from './characters.js'
import { bytePieces, namePieces, plainText, wireBytes } from './names.js'

const anyBytes = fc.uint8Array({ maxLength: 64 })
const anyText = fc.string({ unit: 'binary', maxLength: 64 })
/** Nothing of this may stand in the page as it is. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const shown = (text: string) => plainText(pieces(text))

describe('names in wire form', () => {
  it('have the bytes that the observer wrote', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect([...wireBytes(toWirePath(bytes))]).toEqual([...bytes])
      }),
    )
  })

  it('show nothing that could not be seen, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyBytes,
          anyText.map((text) => new TextEncoder().encode(text)),
        ),
        (bytes) => {
          for (const { kind, text } of namePieces(toWirePath(bytes))) {
            expect(text).not.toMatch(unseen)
            expect(text).not.toBe('')
            if (kind === 'escape') expect(text).toMatch(/^\\(?:[0nrte]|x[0-9A-F]{2}|u\{[0-9A-F]+\})$/)
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([
    ['photo%E2%80%AEgpj.exe', 'photo\\u{202E}gpj.exe'],
    ['a%0Ab%1B[31m%07', 'a\\nb\\e[31m\\x07'],
    ['%FF%FEx', '\\xFF\\xFEx'],
    ['%C3%A4%E2%82', 'ä\\xE2\\x82'],
    ['%EF%BB%BFbom', '\\u{FEFF}bom'],
    [' a b ', '\\x20a b\\x20'],
    ['   ', '\\x20\\x20\\x20'],
    ['no%C2%A0break', 'no\\u{A0}break'],
    ['100%25', '100%'],
    ['<script>', '<script>'],
  ])('%s is shown as %s', (wire, expected) => {
    expect(plainText(namePieces(wire))).toBe(expected)
  })

  it('cannot fake an escape: a backslash that is one stays plain', () => {
    expect(namePieces('\\x20')).toEqual([{ kind: 'plain', text: '\\x20' }])
  })

  it('keep a stack of marks from covering the lines around', () => {
    const stacked = shown(`a${'\u0301'.repeat(20)}`)
    expect(stacked.match(/\\u\{301\}/g)).toHaveLength(18)
    expect(shown('\u0301')).toBe('\\u{301}')
    expect(shown('e\u0301')).toBe('e\u0301')
  })
})

describe('pieces', () => {
  it('are the whole text, in order, when nothing is hidden in it', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(shown(text)).toBe(text)
      }),
    )
  })

  it('mark lab tokens', () => {
    const token = `LFC-${'0a'.repeat(16)}`
    expect(pieces(`x${token}${token}y`).map(({ kind }) => kind)).toEqual(['plain', 'token', 'token', 'plain'])
    expect(pieces('LFC-0a')).toEqual([{ kind: 'plain', text: 'LFC-0a' }])
  })

  it('let through what is allowed', () => {
    expect(pieces('a\tb', '\t')).toEqual([{ kind: 'plain', text: 'a\tb' }])
    expect(escapeOf('\t')).toBe('\\t')
  })
})

it('bytes that are partly text are text where they can be', () => {
  expect(plainText(bytePieces(new Uint8Array([0x61, 0x80, 0xc3, 0xa4, 0xed, 0xa0, 0x80])))).toBe(
    'a\\x80ä\\xED\\xA0\\x80',
  )
})
