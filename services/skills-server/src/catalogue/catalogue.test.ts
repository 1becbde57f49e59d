import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Catalogue } from './catalogue.ts'
import { directoriesOf } from './directory.ts'
import { isText, mediaTypeOf } from './media-types.ts'
import type { ServedSkill } from './served.ts'

function skillWith(paths: readonly string[]): ServedSkill {
  const files = paths.map((path) => ({ path, bytes: Buffer.from(path) }))
  return { path: 'acme/demo', frontmatter: { name: 'demo', description: 'demo' }, files, archives: [] }
}

describe('Catalogue', () => {
  it('builds once, and not before somebody asks', async () => {
    let built = 0
    const build = () => {
      built += 1
      return { skills: [skillWith(['SKILL.md'])] }
    }
    const catalogue = new Catalogue(new Map([['demo', build]]), 'canary')
    expect(await catalogue.offeredArchives()).toEqual([])
    expect(built).toBe(0)
    await Promise.all([catalogue.contents(), catalogue.contents()])
    expect(built).toBe(1)
  })

  it('makes archives on demand once, and only for whoever needs them', async () => {
    let packed = 0
    const pack = () => {
      packed += 1
      return Promise.resolve([{ format: 'zip' as const, bytes: Buffer.from('zip') }])
    }
    const skill = { ...skillWith(['SKILL.md', 'notes.md']), pack }
    const catalogue = new Catalogue(new Map([['demo', () => ({ skills: [skill] })]]), 'canary')
    expect((await catalogue.unpacked()).listed).toHaveLength(1)
    expect(await catalogue.read('skill://acme/demo/notes.md')).toBeDefined()
    expect(await catalogue.read('skill://acme/other')).toBeUndefined()
    expect([packed, await catalogue.offeredArchives()]).toEqual([0, []])
    const [index, archive] = await Promise.all([
      catalogue.read('skill://index.json'),
      catalogue.read('skill://acme/demo.zip'),
    ])
    expect(index?.bytes.toString()).toContain('skill://acme/demo.zip')
    expect(archive?.bytes.toString()).toBe('zip')
    expect((await catalogue.contents()).listed).toHaveLength(1)
    expect([packed, await catalogue.offeredArchives()]).toMatchObject([1, [{ format: 'zip', size: 3 }]])
  })

  it('makes no archive on demand where the index revision is not served', async () => {
    const pack = () => Promise.reject(new Error('not needed'))
    const builders = new Map([['demo', () => ({ skills: [{ ...skillWith(['SKILL.md']), pack }] })]])
    const catalogue = new Catalogue(builders, 'canary', { revisions: ['stable'] })
    expect((await catalogue.contents()).skills).toHaveLength(1)
    expect(await catalogue.read('skill://acme/demo.zip')).toBeUndefined()
  })

  it('keeps the prefix of a skill in every URI', async () => {
    const catalogue = new Catalogue(
      new Map([['demo', () => ({ skills: [skillWith(['SKILL.md', 'a/b.txt'])] })]]),
      'canary',
    )
    const { resources } = await catalogue.contents()
    expect([...resources.keys()]).toEqual([
      'skill://index.json',
      'skill://acme/demo/SKILL.md',
      'skill://acme/demo/a/b.txt',
    ])
  })
})

describe('directoriesOf', () => {
  const segment = fc.stringMatching(/^[a-c]{1,2}$/)
  // The extension keeps a file from having the name of a directory.
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `${segments.join('/')}.txt`)

  it('leads from the root to every file exactly once', () => {
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
        const directories = directoriesOf([skillWith(paths)])
        const walk = (uri: string): string[] =>
          (directories.get(uri) ?? []).flatMap((child) =>
            child['mimeType'] === 'inode/directory' ? walk(child.uri) : [child.uri],
          )
        expect(walk('skill://acme/demo').toSorted()).toEqual(
          paths.map((each) => `skill://acme/demo/${each}`).toSorted(),
        )
      }),
    )
  })

  it('knows no directory of a skill that comes only as an archive', () => {
    expect(directoriesOf([skillWith([])]).size).toBe(0)
  })
})

describe('media types', () => {
  it.each([
    ['SKILL.md', 'text/markdown', true],
    ['a/b.JSON', 'application/json', true],
    ['id_rsa.example', 'text/plain', true],
    ['badge.png', 'image/png', false],
    ['data/run.bin', 'application/octet-stream', false],
    ['Makefile', 'application/octet-stream', false],
    ['docker/Dockerfile', 'text/x-dockerfile', true],
  ])('%s is %s', (path, mediaType, text) => {
    expect(mediaTypeOf(path)).toBe(mediaType)
    expect(isText(mediaTypeOf(path), Buffer.from('text'))).toBe(text)
  })

  it('sends as text only what comes back the same', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
        ),
        (raw) => {
          const bytes = Buffer.from(raw)
          expect(isText('text/plain', bytes)).toBe(Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes))
        },
      ),
    )
  })
})
