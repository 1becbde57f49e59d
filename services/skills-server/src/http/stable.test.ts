import { corpusSkills } from '@landfall/catalog'
import { describe, expect, it } from 'vitest'
import type { ServedSkill } from '../catalogue/served.ts'
import { clientKinds, connect } from '../testing/clients.ts'
import { openTrial, startTestService } from '../testing/service.ts'
import { Entry, listAll, walk } from '../testing/visitor.ts'

/** The stable revision on the wire, in both eras. */
const manySkills = (count: number): ServedSkill[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `skill-${index}`
    const bytes = Buffer.from(`---\nname: ${name}\ndescription: d\n---\n`)
    return { path: name, frontmatter: { name, description: 'd' }, files: [{ path: 'SKILL.md', bytes }], archives: [] }
  })
const sources = (skills: ServedSkill[]) => {
  const corpus = new Map([['many', () => ({ skills })]])
  return { fixtures: new Map(), corpus, single: corpus }
}

describe.each(clientKinds)('%s client', (kind) => {
  const modern = kind === 'v2 pinned' || kind === 'v2 auto'

  it('gets caching fields of the extension in the modern era only', async () => {
    await using service = await startTestService({}, { SERVE_PROFILE: 'corpus' })
    await using client = await connect(kind, `${service.mcpUrl}/mcp`)
    const caching = modern ? { ttlMs: 0, cacheScope: 'private' } : { ttlMs: undefined, cacheScope: undefined }
    for (const [method, params] of [
      ['skills/list', {}],
      ['skills/get', { uri: 'skill://auto-format/SKILL.md' }],
      ['resources/directory/read', { uri: 'skill://auto-format' }],
    ] as const) {
      const { ttlMs, cacheScope } = await client.request(method, params)
      expect({ method, ttlMs, cacheScope }).toEqual({ method, ...caching })
    }
  })

  it('follows cursors to the end, and gets the same ones again', async () => {
    await using service = await startTestService({ sources: sources(manySkills(250)) }, { SERVE_PROFILE: 'corpus' })
    await using client = await connect(kind, `${service.mcpUrl}/mcp`)
    const entries = Entry.array().parse(await listAll(client, 'skills/list', 'skills'))
    expect(entries.map(({ frontmatter }) => frontmatter.name)).toEqual(manySkills(250).map(({ path }) => path))
    expect(await listAll(client, 'resources/list', 'resources')).toHaveLength(251)
    const cursors = [1, 2].map(async () => (await client.request('skills/list', {}))['nextCursor'])
    const [first, second] = await Promise.all(cursors)
    expect(first).toBe(second)
    const foreign = (await client.request('resources/list', {}))['nextCursor']
    for (const cursor of [foreign, `${String(first)}=`, '', '0'])
      await expect(client.request('skills/list', { cursor })).rejects.toMatchObject({ code: -32602 })
  })

  it.each([
    ['skills/get', { uri: 'skill://nobody/SKILL.md' }],
    ['skills/get', { uri: 'skill://control-benign' }],
    ['skills/get', { uri: 'skill://control-benign/scripts/hello.sh' }],
    ['skills/get', { uri: 'skill://adv-zip-traversal/SKILL.md' }],
    ['resources/directory/read', { uri: 'skill://nobody' }],
  ])('gets -32602 for %s of %o', async (method, params) => {
    await using service = await startTestService()
    await using client = await connect(kind, `${service.mcpUrl}/mcp`)
    await expect(client.request(method, params)).rejects.toMatchObject({ code: -32602 })
  })

  it('finds neither index nor archive in a trial of the stable revision, and no skills/list in one of the other', async () => {
    await using service = await startTestService()
    await using stable = await connect(kind, await openTrial(service, 's', 'control-benign', 'stable'))
    for (const uri of ['skill://index.json', 'skill://control-benign.zip'])
      await expect(stable.request('resources/read', { uri })).rejects.toMatchObject({ code: -32602 })
    expect(await walk(stable, 'skill://control-benign')).toHaveLength(3)
    await using index = await connect(kind, await openTrial(service, 'i', 'control-benign', 'index'))
    await expect(index.request('skills/list', {})).rejects.toThrow()
  })
})

describe('what is served', () => {
  it('is the corpus alone unless asked for, and its first skill has a directory', async () => {
    await using service = await startTestService({}, { SERVE_PROFILE: '' })
    await using client = await connect('v2 pinned', `${service.mcpUrl}/mcp`)
    const entries = Entry.array().parse(await listAll(client, 'skills/list', 'skills'))
    const names = corpusSkills.flatMap(({ skills }) => skills)
    expect(entries.every(({ frontmatter }) => names.includes(frontmatter.name))).toBe(true)
    const [first] = entries
    expect(first?.resources.some(({ uri }) => uri.replace(/^skill:\/\/[^/]+\//, '').includes('/'))).toBe(true)
    expect((await fetch(`${service.mcpUrl}/endless/adv-enumeration-exhaustion/mcp`)).status).toBe(404)
  })

  it('can be a skill of the corpus in a trial of its own', async () => {
    await using service = await startTestService()
    await using client = await connect('v2 pinned', await openTrial(service, 'c', 'code-review-remote', 'stable'))
    expect(await listAll(client, 'skills/list', 'skills')).toHaveLength(1)
  })
})
