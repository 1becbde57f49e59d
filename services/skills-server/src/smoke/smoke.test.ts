import type { FetchLike } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { Catalogue } from '../catalogue/catalogue.ts'
import { claims, duplicate, dynamic, withoutResources, wrongDigest, wrongSize } from '../catalogue/lies.ts'
import type { FileLie, ServedSkill, SkillLie } from '../catalogue/served.ts'
import { archivesOf } from '../corpus/archives.ts'
import { parseFrontmatter } from '../corpus/frontmatter.ts'
import { createEndpoint } from '../mcp/endpoint.ts'
import { Report } from './report.ts'
import { opener } from './session.ts'
import { smoke } from './smoke.ts'

/** A server with one honest skill, and the same server broken on purpose: the right lines must fail, and no others. */
const markdown = Buffer.from('---\nname: demo\ndescription: About demo.\n---\n# Demo\n')
const data = Buffer.from('some data')

async function honest(): Promise<ServedSkill> {
  const files = [
    { path: 'SKILL.md', bytes: markdown },
    { path: 'references/data.txt', bytes: data },
  ]
  const archives = await archivesOf(files.map((file) => ({ ...file, mode: 0o644 })))
  return { path: 'demo', frontmatter: parseFrontmatter(markdown), files, archives }
}

/** What the smoke client prints of a server that serves `skill`. */
async function linesOf(skill: ServedSkill, through: (fetch: FetchLike) => FetchLike = (fetch) => fetch) {
  const catalogue = new Catalogue(new Map([['demo', () => ({ skills: [skill] })]]), 'canary')
  const endpoint = createEndpoint({ catalogue, observe: () => undefined, onFailure: () => undefined }, () => undefined)
  const plain: FetchLike = async (url, init) => await endpoint.fetch(new Request(url, init))
  const lines: string[] = []
  const report = new Report((line) => void lines.push(line))
  const open = opener({ kind: 'http', url: new URL('http://127.0.0.1/mcp'), fetch: through(plain) })
  await smoke(open, ['index', 'stable'], report)
  await endpoint.close()
  expect(report.total).toBe(lines.length)
  expect(report.failed).toBe(lines.filter((line) => line.startsWith('FAIL')).length)
  return lines.map((line) => line.split(/ {2,}/).slice(0, 3).join(' | '))
}

const failed = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('FAIL')).map((line) => line.slice(7))
/** A line for each era. */
const inBothEras = (...lines: string[]) => ['modern', 'legacy'].flatMap((era) => lines.map((line) => `${era} ${line}`))

function withFile(skill: ServedSkill, path: string, lie: FileLie): ServedSkill {
  return { ...skill, files: skill.files.map((file) => (file.path === path ? { ...file, lie } : file)) }
}
const stable = (entry: NonNullable<NonNullable<SkillLie['stable']>['entry']>) => (skill: ServedSkill) => ({
  ...skill,
  lie: { stable: { entry } },
})

const broken: [
  title: string,
  breakIt: (skill: ServedSkill) => ServedSkill | Promise<ServedSkill>,
  failing: string[],
][] = [
  ['a wrong digest', stable(wrongDigest('data.txt')), ['stable | digests']],
  ['a wrong size', stable(wrongSize('data.txt')), ['stable | sizes']],
  ['a file that is stated twice', stable(duplicate('data.txt')), ['stable | manifests']],
  ['frontmatter that is not that of SKILL.md', stable(claims({ license: 'MIT' })), ['stable | frontmatter']],
  [
    'a missing file',
    (skill) => withFile(skill, 'references/data.txt', { missing: true }),
    ['index | archive contents', 'stable | read', 'stable | digests', 'stable | sizes'],
  ],
  [
    'a file that no directory shows',
    (skill) => withFile(skill, 'references/data.txt', { hidden: true }),
    ['index | archive contents', 'stable | directories'],
  ],
  [
    'a file that no entry states',
    (skill) => withFile(skill, 'references/data.txt', { unlisted: true }),
    ['stable | directories'],
  ],
  [
    'directories without children',
    (skill) => ({ ...skill, lie: { directory: () => [] } }),
    ['index | archive contents', 'stable | directories'],
  ],
  [
    'a skill that cannot be got',
    (skill) => ({ ...skill, lie: { stable: { ungettable: true } } }),
    ['stable | skills/get'],
  ],
  [
    'another answer from skills/get',
    (skill) => ({ ...skill, lie: { stable: { got: (entry) => dynamic(entry as never) } } }),
    ['stable | skills/get'],
  ],
  [
    'an index with another digest',
    (skill) => ({ ...skill, lie: { index: { entry: (entry) => ({ ...entry, digest: `sha256:${'0'.repeat(64)}` }) } } }),
    ['index | SKILL.md digests'],
  ],
  [
    'an index with other frontmatter',
    (skill) => ({ ...skill, lie: { index: { entry: claims({ license: 'MIT' }) } } }),
    ['index | frontmatter', 'index | archive contents'],
  ],
  [
    'archives of other files',
    async (skill) => ({ ...skill, archives: await archivesOf([{ path: 'SKILL.md', mode: 0o644, bytes: markdown }]) }),
    ['index | archive contents'],
  ],
  [
    'archives that climb out',
    async (skill) => ({
      ...skill,
      archives: (
        await archivesOf([...skill.files, { path: '../x', bytes: data }].map((file) => ({ ...file, mode: 0o644 })))
      ).slice(0, 1),
    }),
    ['index | archive contents'],
  ],
]

describe('smoke', { timeout: 30_000 }, () => {
  it('passes every check on an honest server, in both eras', async () => {
    const lines = await linesOf(await honest())
    expect(failed(lines)).toEqual([])
    expect(lines).toHaveLength(34)
  })

  it.each(broken)('notices %s', async (_, breakIt, failing) => {
    expect(failed(await linesOf(await breakIt(await honest())))).toEqual(inBothEras(...failing))
  })

  it('takes an entry without resources for none, and fails all that would have needed it', async () => {
    const lines = failed(await linesOf(stable(withoutResources)(await honest())))
    expect(lines.filter((line) => line.startsWith('modern index'))).toEqual([])
    expect(lines).toContain('modern stable | skills/list')
    expect(lines).toContain('modern stable | digests')
  })

  it('notices a server without a directory method', async () => {
    const lines = await linesOf(await honest(), without('resources/directory/read'))
    expect(failed(lines)).toEqual(
      inBothEras('index | archive contents', 'index | unknown URIs', 'stable | directories', 'stable | unknown URIs'),
    )
  })

  it('notices a server that does not answer at all', async () => {
    const lines = await linesOf(await honest(), () => () => Promise.reject(new TypeError('no such server')))
    expect(failed(lines)).toEqual(['modern | connect', 'legacy | connect'])
    expect(lines).toHaveLength(2)
  })
})

/** The same server as if it had never heard of `method`. */
function without(method: string) {
  return (fetch: FetchLike): FetchLike =>
    async (url, init) => {
      const request = new Request(url, init)
      const message = (await request
        .clone()
        .json()
        .catch(() => ({}))) as { id?: number; method?: string }
      if (message.method !== method) return await fetch(url, init)
      const error = { code: -32601, message: 'Method not found' }
      return Response.json({ jsonrpc: '2.0', id: message.id, error })
    }
}
