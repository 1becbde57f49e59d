import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quotePath } from './index.ts'

it.each([
  ['a b.md', '"a b.md"'],
  ['日本/é😀', '"日本/é😀"'],
  ['quo"te', '"quo\\"te"'],
  ['\u009b31m', '"\\u009b31m"'],
  ['\u202Egpj.exe', '"\\u202egpj.exe"'],
  ['zero\u200Bwidth\uFEFF', '"zero\\u200bwidth\\ufeff"'],
  ['no\u00A0break\u2028', '"no\\u00a0break\\u2028"'],
  ['tag\u{E0041}', '"tag\\udb40\\udc41"'],
  ['e\u0301', '"e\\u0301"'],
])('writes %j as %s', (path, quoted) => {
  expect(quotePath(path)).toBe(quoted)
})

it('is a JSON string of the same path, without anything a terminal acts on', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      const quoted = quotePath(path)
      expect(JSON.parse(quoted)).toBe(path)
      expect(quoted).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    }),
  )
})

it('never shows two paths as the same text when they differ in composition', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (path) => {
      const [composed, decomposed] = [path.normalize('NFC'), path.normalize('NFD')]
      fc.pre(composed !== decomposed)
      expect(quotePath(composed).normalize('NFC')).not.toBe(quotePath(decomposed).normalize('NFC'))
    }),
  )
})
