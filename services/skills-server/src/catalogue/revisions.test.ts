import type { Revision } from '@landfall/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Catalogue } from './catalogue.ts'
import { contentsOf } from './contents.ts'
import { honestPager } from './paging.ts'
import type { ServedSkill } from './served.ts'
import type { SkillEntry } from './skill-entry.ts'

const skill = (path: string, more: Partial<ServedSkill> = {}): ServedSkill => ({
  path,
  frontmatter: { name: path.split('/').at(-1) ?? '', description: 'd' },
  files: [{ path: 'SKILL.md', bytes: Buffer.from(path) }],
  archives: [],
  ...more,
})
const archive = { format: 'zip' as const, bytes: Buffer.from('zip') }
const outer = skill('outer', { archives: [archive] })
const nested = skill('outer/deep/inner')
const packed = skill('packed', { files: [], archives: [archive] })

const urisOf = (revisions: Revision[]) => {
  const { listed, resources } = contentsOf([{ skills: [outer, nested, packed] }], revisions)
  return { listed: listed.map((entry) => (entry as SkillEntry).uri), resources: [...resources.keys()] }
}

describe('what each revision can express', () => {
  it('index: no nested skill, and archives', () => {
    expect(urisOf(['index'])).toEqual({
      listed: [],
      resources: ['skill://index.json', 'skill://outer/SKILL.md', 'skill://outer.zip', 'skill://packed.zip'],
    })
  })

  it('stable: no archive, no index, and nested skills', () => {
    const files = ['skill://outer/SKILL.md', 'skill://outer/deep/inner/SKILL.md']
    expect(urisOf(['stable'])).toEqual({ listed: files, resources: files })
  })

  it('both: everything, each listing in its own revision', () => {
    const { listed, resources } = urisOf(['index', 'stable'])
    expect(listed).toEqual(['skill://outer/SKILL.md', 'skill://outer/deep/inner/SKILL.md'])
    expect(resources).toHaveLength(5)
  })

  it('states the files of a nested skill in the enclosing entry too, and links its directories', () => {
    const { listed, directories } = contentsOf([{ skills: [nested, outer] }], ['stable'])
    const enclosing = (listed as SkillEntry[]).find(({ uri }) => uri === 'skill://outer/SKILL.md')
    expect(enclosing?.resources.map(({ uri }) => uri)).toEqual([
      'skill://outer/SKILL.md',
      'skill://outer/deep/inner/SKILL.md',
    ])
    const walk = [...directories].map(([uri, children]) => [uri, ...children.map((child) => child.uri)])
    expect(Object.fromEntries(walk.map(([uri, ...children]) => [uri, children.toSorted()]))).toEqual({
      'skill://outer': ['skill://outer/SKILL.md', 'skill://outer/deep'],
      'skill://outer/deep': ['skill://outer/deep/inner'],
      'skill://outer/deep/inner': ['skill://outer/deep/inner/SKILL.md'],
    })
  })
})

describe('reads that differ', () => {
  it('are counted by each endpoint for itself', async () => {
    const reads = ['one', 'two'].map((text) => Buffer.from(text))
    const files = [{ path: 'SKILL.md', bytes: Buffer.from('zero'), lie: { reads } }]
    const catalogues = [1, 2].map(
      () => new Catalogue(new Map([['a', () => ({ skills: [skill('a', { files })] })]]), 'c'),
    )
    for (const catalogue of catalogues) {
      const seen: (string | undefined)[] = []
      for (let count = 0; count < 3; count += 1)
        seen.push((await catalogue.read('skill://a/SKILL.md'))?.bytes.toString())
      expect(seen).toEqual(['one', 'two', 'two'])
    }
  })
})

describe('honestPager', () => {
  it('leads through every item once, in order', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.integer({ min: 1, max: 9 }), (length, size) => {
        const pager = honestPager('list', size)
        const items = Array.from({ length }, (_, index) => index)
        const seen: unknown[] = []
        let cursor: string | undefined
        do {
          const page = pager(cursor, items)
          seen.push(...page.items)
          cursor = page.nextCursor
        } while (cursor !== undefined)
        expect(seen).toEqual(items)
      }),
    )
  })

  it('takes no cursor that it has not given', () => {
    const items = Array.from({ length: 250 }, (_, index) => index)
    const given = honestPager('a')(undefined, items).nextCursor ?? ''
    expect(() => honestPager('b')(given, items)).toThrow()
    expect(() => honestPager('a')(`${given}=`, items)).toThrow()
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (cursor) => {
        fc.pre(cursor !== given)
        expect(() => honestPager('a')(cursor, items)).toThrow()
      }),
    )
  })
})
