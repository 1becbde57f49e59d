import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { harmless, quoted } from './printable.ts'

describe('quoted', () => {
  it('is printable ASCII whatever it quotes, and reads back as JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        const shown = quoted(text)
        expect(shown).toMatch(/^[\x20-\x7e]*$/)
        expect(JSON.parse(shown)).toBe(text)
      }),
    )
  })

  it('cuts what is too long', () => {
    expect(quoted('a'.repeat(500), 10)).toBe(`"${'a'.repeat(10)}..."`)
  })
})

describe('harmless', () => {
  it('keeps lines and tabs, and lets nothing through that moves a cursor or turns text around', () => {
    expect(harmless('one\r\n\ttwo\n')).toBe('one\n\ttwo\n')
    expect(harmless('\u001b[2Jgone\u202etxt.exe\u0007')).toBe('\\u001b[2Jgone\\u202etxt.exe\\u0007')
    expect(harmless('Grüße')).toBe('Grüße')
  })
})
