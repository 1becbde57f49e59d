import { deriveCanary } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { contentsOf } from '../catalogue/contents.ts'
import type { FixturePayload, ServedSkill } from '../catalogue/served.ts'
import { bothRevisions } from '../catalogue/view.ts'
import { maxArchivedBytes } from './archives.ts'
import type { CorpusOptions } from './builders.ts'
import { corpusBuilders } from './builders.ts'
import { parseFrontmatter } from './frontmatter.ts'
import type { LoadedSkill } from './load.ts'

const canary = deriveCanary('builders', 'a')

function skill(folder: string, path: string, extra: Readonly<Record<string, Buffer>> = {}): LoadedSkill {
  const markdown = Buffer.from(`---\nname: ${path.split('/').at(-1)}\ndescription: About it.\n---\n`)
  const files = Object.entries({ 'SKILL.md': markdown, ...extra }).map(([name, bytes]) => ({
    path: name,
    bytes,
    mode: 0o644,
  }))
  return { folder, path, frontmatter: parseFrontmatter(markdown), files }
}

async function served(skills: readonly LoadedSkill[], options: CorpusOptions = { archives: true }) {
  const builders = corpusBuilders({ skills, notices: [] }, options)
  const payloads = await Promise.all([...builders.values()].map(async (build) => await packed(await build(canary))))
  return { keys: [...builders.keys()], payloads, contents: contentsOf(payloads, bothRevisions) }
}

/** With the archives that are otherwise made on demand. */
async function packed(payload: FixturePayload): Promise<FixturePayload> {
  const skills: ServedSkill[] = []
  for (const each of payload.skills) skills.push({ ...each, archives: (await each.pack?.()) ?? [] })
  return { ...payload, skills }
}

describe('corpusBuilders', () => {
  it('goes by folders, with skills inside others in the builder of the outer one', async () => {
    const { keys, payloads } = await served([skill('a', 'x'), skill('a/in', 'x/in'), skill('b', 'y'), skill('', 'z')])
    expect(keys).toEqual(['.'])
    expect(payloads.map(({ skills }) => skills.map(({ path }) => path))).toEqual([['x', 'x/in', 'y', 'z']])
    expect((await served([skill('a', 'x'), skill('a/in', 'x/in'), skill('b', 'y')])).keys).toEqual(['a', 'b'])
  })

  it('lists a name once where it is asked to, and serves both all the same', async () => {
    const twins = [skill('a', 'a/same'), skill('b', 'b/same'), skill('c', 'c')]
    const all = await served(twins)
    expect(all.contents.listed).toHaveLength(3)
    const { contents } = await served(twins, { archives: false, uniqueNames: true })
    expect(contents.listed).toHaveLength(2)
    expect(contents.got.has('skill://b/same/SKILL.md')).toBe(true)
    expect(contents.resources.has('skill://b/same/SKILL.md')).toBe(true)
  })

  it("leaves other people's bytes alone, also where they look like ours", async () => {
    const text = Buffer.from('{{canary:executed}}')
    const { payloads } = await served([skill('license-checker', 'other', { 'x.txt': text })])
    expect(payloads[0]?.skills[0]?.files[1]?.bytes).toBe(text)
  })

  it('builds archives only where they are needed and can hold the skill as it is', async () => {
    const formats = async (extra: Readonly<Record<string, Buffer>>, options?: CorpusOptions) =>
      (await served([skill('a', 'a', extra)], options)).payloads[0]?.skills[0]?.archives.map(({ format }) => format)
    expect(await formats({ 'x.txt': Buffer.alloc(1) })).toEqual(['tar.gz', 'zip'])
    expect(await formats({ 'x.txt': Buffer.alloc(1) }, { archives: false })).toEqual([])
    expect(await formats({ 'a\\b.txt': Buffer.alloc(1) })).toEqual([])
    expect(await formats({ 'x.bin': Buffer.alloc(maxArchivedBytes) })).toEqual([])
  })

  it('encodes names for their URIs, and says which file is text by what is in it', async () => {
    const { contents } = await served([
      skill('a', 'a', { 'a b%2e#?.txt': Buffer.from('x'), 'latin1.md': Buffer.from('\xff', 'latin1') }),
    ])
    expect(contents.resources.get('skill://a/a%20b%252e%23%3F.txt')?.text).toBe(true)
    expect(contents.resources.get('skill://a/latin1.md')).toMatchObject({ mimeType: 'text/markdown', text: false })
  })
})
