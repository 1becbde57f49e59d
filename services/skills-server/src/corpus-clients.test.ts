import { corpusSkills } from '@landfall/catalog'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { digestOf } from './catalogue/digest.ts'
import type { TestClient } from './testing/clients.ts'
import { clientKinds, connect, read, stdioTarget } from './testing/clients.ts'
import { startTestService } from './testing/service.ts'
import { Entry, faultsOf, listAll, readIndex, walk } from './testing/visitor.ts'

/** Every client that people have lists, reads and verifies the whole corpus, in both revisions. */
async function verifyStable(client: TestClient): Promise<number> {
  const listed = Entry.array().parse(await listAll(client, 'skills/list', 'skills'))
  const names = [...new Set(corpusSkills.flatMap(({ skills }) => skills))]
  expect(listed.map(({ frontmatter }) => frontmatter.name).toSorted()).toEqual(names.toSorted())
  const urls = (await readIndex(client)).flatMap(({ url }) => url ?? [])
  for (const url of urls) {
    const { skill } = await client.request('skills/get', { uri: url })
    const entry = Entry.parse(skill)
    expect(listed.find(({ uri }) => uri === url) ?? entry).toEqual(entry)
    expect(await faultsOf(client, entry)).toEqual([])
    const markdown = (await read(client, url)).bytes.toString('utf8')
    expect(parse(/^---\n(.*?)\n---\n/s.exec(markdown)?.[1] ?? '')).toEqual(entry.frontmatter)
    const stated = entry.resources.map(({ uri }) => uri)
    expect((await walk(client, url.replace('/SKILL.md', ''))).toSorted()).toEqual(stated.toSorted())
  }
  return urls.length
}

async function verifyIndex(client: TestClient): Promise<number> {
  const skills = await readIndex(client)
  expect(skills.map(({ frontmatter }) => frontmatter.name).toSorted()).toEqual(
    corpusSkills.flatMap((row) => row.skills).toSorted(),
  )
  for (const { url, digest, archives } of skills) {
    expect(digestOf((await read(client, url ?? '')).bytes)).toBe(digest)
    expect(archives.map(({ mimeType }) => mimeType)).toEqual(['application/gzip', 'application/zip'])
    for (const archive of archives) expect(digestOf((await read(client, archive.url)).bytes)).toBe(archive.digest)
  }
  return skills.length
}

describe.each(clientKinds)('%s client and the corpus', { timeout: 30_000 }, (kind) => {
  it('over HTTP', async () => {
    await using service = await startTestService({}, { SERVE_PROFILE: 'corpus' })
    await using client = await connect(kind, `${service.mcpUrl}/mcp`)
    expect(await verifyStable(client)).toBe(corpusSkills.length)
    expect(await verifyIndex(client)).toBe(corpusSkills.length)
  })

  it('over stdio', async () => {
    await using client = await connect(kind, stdioTarget([]))
    expect(await verifyStable(client)).toBe(corpusSkills.length)
    expect(await verifyIndex(client)).toBe(corpusSkills.length)
  })
})
