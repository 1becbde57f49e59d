import { describe, expect, it } from 'vitest'
import { contentsOf } from './contents.ts'
import { digestOf } from './digest.ts'
import type { FileLie, ServedSkill, SkillLie } from './served.ts'
import {
  alsoStates,
  claims,
  duplicate,
  dynamic,
  upperCaseDigest,
  withoutResources,
  wrongDigest,
  wrongSize,
} from './lies.ts'
import { bothRevisions } from './view.ts'

const markdown = Buffer.from('---\nname: demo\ndescription: d\n---\n')
const data = Buffer.from('0123456789')
const uri = 'skill://demo/SKILL.md'
const dataUri = 'skill://demo/data/d.txt'

function demo(lie: SkillLie = {}, fileLie: FileLie = {}): ServedSkill {
  return {
    path: 'demo',
    frontmatter: { name: 'demo', description: 'd' },
    files: [
      { path: 'SKILL.md', bytes: markdown },
      { path: 'data/d.txt', bytes: data, lie: fileLie },
    ],
    archives: [],
    lie,
  }
}

const contents = (...skills: ServedSkill[]) => contentsOf([{ skills }], bothRevisions)
const honest = {
  uri,
  frontmatter: { name: 'demo', description: 'd' },
  resources: [
    { uri, digest: digestOf(markdown), size: markdown.length },
    { uri: dataUri, digest: digestOf(data), size: 10 },
  ],
}
const [self, item] = honest.resources
const told = (lie: SkillLie, fileLie?: FileLie) => contents(demo(lie, fileLie)).listed[0]

describe('an honest skill', () => {
  it('needs nothing but its files', () => {
    const { listed, got, directories, resources } = contents(demo())
    expect(listed).toEqual([honest])
    expect(got.get(uri)).toEqual(honest)
    expect([...directories.keys()]).toEqual(['skill://demo', 'skill://demo/data'])
    expect([...resources.keys()]).toEqual(['skill://index.json', uri, dataUri])
  })
})

describe('an entry that lies', () => {
  it.each([
    ['has no resources', withoutResources, { uri, frontmatter: honest.frontmatter }],
    ['is dynamic', dynamic, { ...honest, resources: 'dynamic' }],
    ['has a wrong size', wrongSize('d.txt', 2), { ...honest, resources: [self, { ...item, size: 12 }] }],
    ['states a file twice', duplicate('d.txt'), { ...honest, resources: [self, item, item] }],
    ['claims more', claims({ version: '9' }), { ...honest, frontmatter: { ...honest.frontmatter, version: '9' } }],
    [
      'states what is elsewhere',
      alsoStates({ uri: 'skill://other/x', digest: digestOf(data), size: 10 }),
      { ...honest, resources: [self, item, { uri: 'skill://other/x', digest: digestOf(data), size: 10 }] },
    ],
  ])('%s', (_what, entry, expected) => {
    expect(told({ stable: { entry } })).toEqual(expected)
  })

  it('has a digest in capitals, or of nothing', () => {
    const digests = [upperCaseDigest('d.txt'), wrongDigest('d.txt')].map((entry) => {
      const { resources } = told({ stable: { entry } }) as typeof honest
      return resources[1]?.digest
    })
    expect(digests).toEqual([`sha256:${digestOf(data).slice(7).toUpperCase()}`, `sha256:${'0'.repeat(64)}`])
  })

  it('cannot be about a file that is not there', () => {
    expect(() => told({ stable: { entry: wrongSize('nothing') } })).toThrow(/No item ends in nothing/)
  })

  it('may be told by skills/get alone, or by skills/list alone', () => {
    const unlisted = contents(demo({ stable: { unlisted: true } }))
    expect([unlisted.listed, unlisted.got.get(uri)]).toEqual([[], honest])
    const ungettable = contents(demo({ stable: { ungettable: true } }))
    expect([ungettable.listed, ungettable.got.size]).toEqual([[honest], 0])
    const differing = contents(demo({ stable: { got: () => 'other' } }))
    expect([differing.listed, differing.got.get(uri)]).toEqual([[honest], 'other'])
  })

  it('lies in the index alone', () => {
    const { listed, resources } = contents(demo({ index: { entry: claims({ version: '9' }) } }))
    expect(listed).toEqual([honest])
    expect(resources.get('skill://index.json')?.bytes.toString()).toContain('"version": "9"')
    const unlisted = contents(demo({ index: { unlisted: true } }))
    expect(unlisted.resources.get('skill://index.json')?.bytes.toString()).toBe('{\n  "skills": []\n}\n')
    expect(unlisted.listed).toEqual([honest])
  })
})

describe('a file that lies', () => {
  const names = (lie: FileLie) => {
    const { directories, resources } = contents(demo({}, lie))
    const children = (directories.get('skill://demo/data') ?? []).map((child) => child.uri)
    const { resources: stated } = told({}, lie) as typeof honest
    return { children, read: resources.has(lie.uri ?? dataUri), stated: stated.length }
  }

  it.each([
    ['unlisted', { unlisted: true }, { children: [dataUri], read: true, stated: 1 }],
    ['missing', { missing: true }, { children: [dataUri], read: false, stated: 2 }],
    ['hidden', { hidden: true }, { children: [], read: true, stated: 2 }],
    ['elsewhere', { uri: 'file:///etc/x' }, { children: ['file:///etc/x'], read: true, stated: 2 }],
  ] as const)('is %s', (_what, lie, expected) => {
    expect(names(lie)).toEqual(expected)
  })

  it('shows a directory that its skill makes up', () => {
    const { directories } = contents(demo({ directory: (items) => [...items, { uri: 'skill://x', name: 'x' }] }))
    expect([...directories.values()].map((items) => items.at(-1)?.uri)).toEqual(['skill://x', 'skill://x'])
  })
})
