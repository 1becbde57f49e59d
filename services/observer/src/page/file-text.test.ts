import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hexDump, looksLikeText, textLines } from './file-text.js'
import { plainText } from './names.js'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('a hex dump', () => {
  it('holds every byte, whatever its width', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(8, 16), (content, width) => {
        const { rows, more } = hexDump(content, width)
        expect(more).toBe(0)
        const again = rows.flatMap(({ hex }) =>
          hex
            .trim()
            .split(' ')
            .map((digits) => Number.parseInt(digits, 16)),
        )
        expect(again).toEqual([...content])
        for (const [index, { offset, hex, text }] of rows.entries()) {
          expect(Number.parseInt(offset, 16)).toBe(index * width)
          expect(hex).toHaveLength(width * 3 - 1)
          expect(text).toMatch(/^[\x20-\x7e·]+$/)
        }
      }),
    )
  })

  it('says how many rows it leaves out', () => {
    expect(hexDump(new Uint8Array(100), 16, 3)).toMatchObject({ more: 4 })
    expect(hexDump(new Uint8Array(0))).toEqual({ rows: [], more: 0 })
  })
})

describe('text', () => {
  it('has the lines of the file, with every control made visible', () => {
    const { lines } = textLines(bytes('one\r\ntwo\u202e\ttab\n\nlast'))
    expect(lines.map((line) => plainText(line))).toEqual(['one\\r', 'two\\u{202E}\ttab', '', 'last'])
  })

  it('is the whole text when nothing is hidden in it', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 20 }), (lines) => {
        const shown = textLines(bytes(`${lines.join('\n')}\n`)).lines.map((line) => plainText(line))
        expect(shown).toEqual(lines.length === 0 ? [''] : lines)
      }),
    )
  })

  it('counts the lines that it leaves out', () => {
    expect(textLines(bytes('a\n'.repeat(50)), 10)).toMatchObject({ more: 40 })
  })
})

describe('whether bytes are text', () => {
  it.each<[string, Uint8Array, boolean]>([
    ['plain text', bytes('hello\n'), true],
    ['nothing', new Uint8Array(0), true],
    ['a colour or two', bytes('a long enough line with \u001b[31mred\u001b[0m in it\n'), true],
    ['a character that is cut off at the end', bytes('aaaä').subarray(0, 4), true],
    ['a NUL', bytes('a\0b'), false],
    ['mostly controls', bytes('\u0001\u0002\u0003a'), false],
    ['no UTF-8', new Uint8Array([0x61, 0xff, 0x61, 0x61]), false],
    ['a lone continuation byte at the end', new Uint8Array([0x61, 0x80]), false],
  ])('%s', (_, content, expected) => {
    expect(looksLikeText(content)).toBe(expected)
  })
})
