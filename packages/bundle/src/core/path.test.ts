import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refused } from '../testing/refused.ts'
import { negatives } from '../testing/vectors.ts'
import { checkPath, refusalOf } from './index.ts'

const isValid = (path: string): boolean => {
  try {
    checkPath(path)
    return true
  } catch (error) {
    expect(refusalOf(error)).toMatch(/^path-/)
    return false
  }
}

describe('checkPath', () => {
  it.each(negatives.paths)('takes or refuses $path as the vectors say', ({ path, valid }) => {
    expect(isValid(path)).toBe(valid)
  })

  it.each([
    ['path-empty-segment', ['', '/abs', 'a/', 'a//b', '/']],
    ['path-dot-segment', ['.', '..', 'a/../b', './a', 'a/.']],
    ['path-character', ['a\\b', 'c:/x', 'a:b', 'a\0', 'a\nb', 'a\u001f', 'a\u007f', 'a\uFFFD']],
    ['path-surrogate', ['\uD83D', 'a/\uDE00b']],
    ['path-depth', [Array(13).fill('d').join('/')]],
    ['path-length', ['x'.repeat(1025), 'é'.repeat(512) + 'x', '/'.repeat(2000)]],
  ])('says %s', async (word, paths) => {
    for (const path of paths) expect(await refused(() => checkPath(path))).toBe(word)
  })

  it.each([
    ['12 levels', Array(12).fill('d').join('/')],
    ['1,024 bytes', 'é'.repeat(512)],
    ['1,024 bytes of four each', '😀'.repeat(256)],
    ['a control character of the upper half', 'a\u0085\u009b'],
  ])('takes %s', (_what, path) => {
    expect(isValid(path)).toBe(true)
  })

  it('agrees with the rules read out one by one', () => {
    const unit = fc.oneof(fc.constantFrom('/', '.', 'a', '\\', ':', '\u007f', '\ud800'), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (parts) => {
        const path = parts.join('')
        const segments = path.split('/')
        const expected =
          path.isWellFormed() &&
          path.split('').every((unit) => unit > '\u001f' && !['\u007f', '\ufffd', '\\', ':'].includes(unit)) &&
          segments.every((segment) => !['', '.', '..'].includes(segment)) &&
          segments.length <= 12
        expect(isValid(path)).toBe(expected)
      }),
    )
  })

  it('keeps its message short, however long the path', () => {
    const path = '\u202E'.repeat(1_000_000)
    expect(() => checkPath(path)).toThrow(/^.{1,400}$/)
  })
})
