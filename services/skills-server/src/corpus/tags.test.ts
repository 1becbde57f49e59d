import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromTags, toTags } from './tags.ts'

const ascii = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
})

describe('tag characters', () => {
  it('say what was written, one for each character, and are four bytes each', () => {
    fc.assert(
      fc.property(ascii, (text) => {
        const tags = toTags(text)
        expect(fromTags(`before ${tags} after`)).toEqual([text])
        expect(Buffer.byteLength(tags)).toBe(4 * text.length)
        expect(tags).not.toMatch(/[\x20-\x7e]/)
      }),
    )
  })

  it('are found run by run', () => {
    expect(fromTags(`a${toTags('one')}b${toTags('two')}`)).toEqual(['one', 'two'])
    expect(fromTags('plain')).toEqual([])
  })

  it('exist for printable ASCII alone', () => {
    expect(() => toTags('ä')).toThrow('ä')
  })
})
