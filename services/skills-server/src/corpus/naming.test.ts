import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { enclosing, pathsOf } from './naming.ts'

const paths = (...skills: [folder: string, name: string][]) =>
  Object.fromEntries(pathsOf(skills.map(([folder, name]) => ({ folder, name }))))

describe('pathsOf', () => {
  it('goes by the name, whatever the folder is called', () => {
    expect(paths(['license-checker', 'check-licenses'], ['deep/er', 'b'])).toEqual({
      'license-checker': 'check-licenses',
      'deep/er': 'b',
    })
  })

  it('puts the folder in front of a name that is there twice', () => {
    expect(paths(['code-review', 'review-staged'], ['code-review-remote', 'review-staged'], ['c', 'c'])).toEqual({
      'code-review': 'code-review/review-staged',
      'code-review-remote': 'code-review-remote/review-staged',
      c: 'c',
    })
  })

  it('keeps a skill inside the one around it', () => {
    expect(paths(['a', 'outer'], ['a/b/c', 'inner'], ['a/b/c/d', 'innermost'])).toEqual({
      a: 'outer',
      'a/b/c': 'outer/b/inner',
      'a/b/c/d': 'outer/b/inner/innermost',
    })
  })

  it('lets a name inside be the name of another skill', () => {
    expect(paths(['a', 'a'], ['a/b', 'b'], ['b', 'b'])).toEqual({ a: 'a', 'a/b': 'a/b', b: 'b' })
  })

  it('takes a root that is itself a skill', () => {
    expect(paths(['', 'root'], ['x/y', 'inner'])).toEqual({ '': 'root', 'x/y': 'root/x/inner' })
  })

  it('never makes one skill look as if it were inside another', () => {
    expect(paths(['a', 'b'], ['d', 'b'], ['c', 'a'])).toEqual({ a: 'a/b', d: 'd/b', c: 'c/a' })
  })

  it('gives each skill a place of its own that ends in its name', () => {
    const name = fc.stringMatching(/^[a-c]$/)
    const folder = fc
      .array(fc.stringMatching(/^[a-d]$/), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/'))
    const skills = fc.uniqueArray(fc.record({ folder, name }), { selector: (skill) => skill.folder, maxLength: 12 })
    fc.assert(
      fc.property(skills, (located) => {
        const found = pathsOf(located)
        expect(new Set(found.values()).size).toBe(found.size)
        const folders = new Set(located.map((each) => each.folder))
        const folderAt = new Map([...found].map(([at, path]) => [path, at]))
        for (const each of located) {
          const path = found.get(each.folder)
          if (path === undefined) continue
          expect(path.split('/').at(-1)).toBe(each.name)
          const around = enclosing(path, new Set(found.values()))
          if (around !== undefined) expect(isBelow(each.folder, folderAt.get(around) ?? '?', folders)).toBe(true)
        }
      }),
    )
  })
})

function isBelow(folder: string, outer: string, folders: ReadonlySet<string>): boolean {
  const next = enclosing(folder, folders)
  return next !== undefined && (next === outer || isBelow(next, outer, folders))
}
