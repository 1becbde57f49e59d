import { fixtures } from '@landfall/catalog'
import { TrialRecord } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sha256 } from '../catalogue/digest.ts'
import type { ClientKind, TestClient } from '../testing/clients.ts'
import { clientKinds, clientName, connect, read } from '../testing/clients.ts'
import { openTrial, startTestService } from '../testing/service.ts'

const Index = z.strictObject({
  skills: z.array(
    z.strictObject({
      url: z.string().optional(),
      digest: z.string().optional(),
      frontmatter: z.looseObject({ name: z.string(), description: z.string() }),
      archives: z.array(z.strictObject({ url: z.string(), mimeType: z.string(), digest: z.string() })).optional(),
    }),
  ),
})
type Index = z.infer<typeof Index>

const Listing = z.object({
  resources: z.array(z.looseObject({ uri: z.string(), name: z.string(), mimeType: z.string() })),
})

async function readIndex(client: TestClient): Promise<Index> {
  const { mimeType, bytes } = await read(client, 'skill://index.json')
  expect(mimeType).toBe('application/json')
  return Index.parse(JSON.parse(bytes.toString('utf8')))
}

const isModern = (kind: ClientKind) => kind === 'v2 pinned' || kind === 'v2 auto'

describe.each(clientKinds)('%s client', (kind) => {
  it('reads the index of everything, and every skill and archive in it has the stated digest', async () => {
    await using service = await startTestService()
    await using client = await connect(kind, `${service.mcpUrl}/mcp`)
    const { skills } = await readIndex(client)
    const indexed = fixtures.filter(({ action, clauses }) => action === 'accept' || clauses.index !== undefined)
    // A name that is a path is listed in the catalogue by its last segment.
    expect(skills.map(({ frontmatter }) => frontmatter.name.split('/').at(-1))).toEqual(
      indexed.flatMap((row) => row.skills),
    )
    for (const { url, digest, archives = [] } of skills) {
      if (url !== undefined) expect(`sha256:${sha256((await read(client, url)).bytes)}`).toBe(digest)
      for (const archive of archives) {
        const { mimeType, bytes } = await read(client, archive.url)
        expect(`sha256:${sha256(bytes)}`).toBe(archive.digest)
        expect(mimeType).toBe(archive.mimeType)
      }
    }
  })

  it('states url and digest only for the skill that is served as files', async () => {
    await using service = await startTestService()
    await using client = await connect(kind, `${service.mcpUrl}/mcp`)
    const { skills } = await readIndex(client)
    const named = new Map(skills.map((entry) => [entry.frontmatter.name, entry]))
    for (const { url, digest } of skills) expect(url === undefined).toBe(digest === undefined)
    expect(named.get('adv-zip-traversal')?.url).toBeUndefined()
    expect(named.get('control-benign')?.url).toBe('skill://control-benign/SKILL.md')
    expect(named.get('control-benign')?.archives?.map(({ url }) => url)).toEqual([
      'skill://control-benign.tar.gz',
      'skill://control-benign.zip',
    ])
  })

  it('sees the capability, and caching fields only in the modern era', async () => {
    await using service = await startTestService()
    await using client = await connect(kind, `${service.mcpUrl}/mcp`)
    expect(client.extensions()).toEqual({ 'io.modelcontextprotocol/skills': { directoryRead: true } })
    const caching = isModern(kind) ? { ttlMs: 0, cacheScope: 'private' } : { ttlMs: undefined, cacheScope: undefined }
    for (const [method, params] of [
      ['resources/list', {}],
      ['resources/read', { uri: 'skill://index.json' }],
      ['resources/directory/read', { uri: 'skill://control-benign' }],
    ] as const) {
      const { ttlMs, cacheScope } = await client.request(method, params)
      expect({ method, ttlMs, cacheScope }).toEqual({ method, ...caching })
    }
  })

  it('lists resources with sizes that are true', async () => {
    await using service = await startTestService()
    const url = await openTrial(service, 'list', 'control-benign')
    await using client = await connect(kind, url)
    const { resources } = Listing.parse(await client.request('resources/list', {}))
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['skill://index.json', 'application/json'],
      ['skill://control-benign/SKILL.md', 'text/markdown'],
      ['skill://control-benign/references/notes.md', 'text/markdown'],
      ['skill://control-benign/scripts/hello.sh', 'text/x-shellscript'],
      ['skill://control-benign.tar.gz', 'application/gzip'],
      ['skill://control-benign.zip', 'application/zip'],
    ])
    expect(resources[1]).toMatchObject({ name: 'control-benign', description: expect.any(String) as string })
    for (const { uri, size } of resources) expect((await read(client, uri)).bytes.length).toBe(size)
  })

  it('walks the directories of a skill that is served as files', async () => {
    await using service = await startTestService()
    await using client = await connect(kind, await openTrial(service, 'walk', 'control-benign'))
    const childrenOf = async (uri: string) => {
      const { resources } = Listing.parse(await client.request('resources/directory/read', { uri }))
      return resources.map((child) => [child.uri, child.mimeType])
    }
    expect(await childrenOf('skill://control-benign')).toEqual([
      ['skill://control-benign/SKILL.md', 'text/markdown'],
      ['skill://control-benign/references', 'inode/directory'],
      ['skill://control-benign/scripts', 'inode/directory'],
    ])
    expect(await childrenOf('skill://control-benign/scripts')).toEqual([
      ['skill://control-benign/scripts/hello.sh', 'text/x-shellscript'],
    ])
  })

  it.each([
    ['resources/read', { uri: 'skill://nobody/SKILL.md' }],
    ['resources/read', { uri: 'skill://adv-zip-traversal/SKILL.md' }],
    ['resources/directory/read', { uri: 'skill://nobody' }],
    ['resources/directory/read', { uri: 'skill://control-benign/SKILL.md' }],
    ['resources/directory/read', { uri: 'skill://control-benign/' }],
    ['resources/directory/read', { uri: 'skill://adv-zip-traversal' }],
    ['resources/directory/read', { uri: 'skill://control-benign', cursor: 'x' }],
    ['resources/list', { cursor: 'x' }],
  ])('gets -32602 for %s of %o', async (method, params) => {
    await using service = await startTestService()
    await using client = await connect(kind, `${service.mcpUrl}/mcp`)
    await expect(client.request(method, params)).rejects.toMatchObject({ code: -32602 })
  })

  it('leaves its name, its era, sizes and errors in the access log of its trial', async () => {
    await using service = await startTestService()
    await using client = await connect(kind, await openTrial(service, 'log', 'adv-zip-traversal'))
    const zip = await read(client, 'skill://adv-zip-traversal.zip')
    await expect(client.request('resources/read', { uri: 'skill://none' })).rejects.toThrow()
    const response = await fetch(`${service.controlUrl}/trials/log`)
    const { access, archives } = TrialRecord.parse(await response.json())
    const era = isModern(kind) ? 'modern' : 'legacy'
    expect(access.map(({ method, uri, bytes, error }) => ({ method, uri, bytes, error }))).toEqual([
      { method: isModern(kind) ? 'server/discover' : 'initialize', uri: undefined, bytes: 0, error: undefined },
      { method: 'resources/read', uri: 'skill://adv-zip-traversal.zip', bytes: zip.bytes.length, error: undefined },
      { method: 'resources/read', uri: 'skill://none', bytes: 0, error: -32602 },
    ])
    expect(access.every((entry) => entry.client === clientName && entry.era === era)).toBe(true)
    expect(archives).toEqual([
      { uri: 'skill://adv-zip-traversal.zip', format: 'zip', sha256: sha256(zip.bytes), size: zip.bytes.length },
    ])
  })
})
