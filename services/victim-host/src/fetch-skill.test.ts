import { describe, expect, it } from 'vitest'
import { fetchArchive, pickArchive, readIndex } from './fetch-skill.ts'
import { openReader } from './mcp/reader.ts'
import { indexOf, resourcesOf, serveResources } from '../testing/mcp-server.ts'

const demo = Buffer.from('an archive')
const other = Buffer.from('another archive')

describe('readIndex', () => {
  it('lists everything, or what is asked for in the order asked', async () => {
    await using server = await serveResources(resourcesOf({ demo, other }))
    const reader = openReader(server.url)
    expect((await readIndex(reader)).map(({ name }) => name)).toEqual(['demo', 'other'])
    expect((await readIndex(reader, ['other', 'demo'])).map(({ name }) => name)).toEqual(['other', 'demo'])
    await expect(readIndex(reader, ['third'])).rejects.toThrow('does not list a skill "third"')
  })

  it('refuses an index with a name that could climb out of the directory of skills', async () => {
    const index = indexOf({ '../../evil': demo, demo })
    await using server = await serveResources({ 'skill://index.json': index })
    await expect(readIndex(openReader(server.url))).rejects.toMatchObject({
      code: 'service',
      message: 'entry 0 of the index: "../../evil" is not allowed as the name of a skill',
    })
    expect((await readIndex(openReader(server.url), ['demo'])).map(({ name }) => name)).toEqual(['demo'])
  })

  it('reads an index that is served as bytes', async () => {
    await using server = await serveResources({ 'skill://index.json': Buffer.from(indexOf({ demo })) })
    expect(await readIndex(openReader(server.url))).toHaveLength(1)
  })

  it('refuses what is no index', async () => {
    await using server = await serveResources({ 'skill://index.json': '{"skills":1}' })
    await expect(readIndex(openReader(server.url))).rejects.toMatchObject({ code: 'service' })
  })
})

describe('pickArchive', () => {
  const offer = (format: 'tar.gz' | 'zip') => ({ uri: `skill://x.${format}`, format, sha256: '' })
  const skill = { name: 'x', archives: [offer('tar.gz'), offer('zip')] }

  it('takes the first of the formats that the host prefers', () => {
    expect(pickArchive(skill, ['zip', 'tar.gz'])?.format).toBe('zip')
    expect(pickArchive({ ...skill, archives: [offer('tar.gz')] }, ['zip', 'tar.gz'])?.format).toBe('tar.gz')
    expect(pickArchive({ ...skill, archives: [offer('tar.gz')] }, ['zip'])).toBeUndefined()
  })
})

describe('fetchArchive', () => {
  it('brings the very bytes', async () => {
    await using server = await serveResources(resourcesOf({ demo }))
    const reader = openReader(server.url)
    const [skill] = await readIndex(reader)
    expect(await fetchArchive(reader, skill!.archives[0]!)).toEqual(demo)
  })

  it('refuses bytes other than the index promises (iH7)', async () => {
    await using server = await serveResources(resourcesOf({ demo }, { demo: `sha256:${'0'.repeat(64)}` }))
    const reader = openReader(server.url)
    const [skill] = await readIndex(reader)
    await expect(fetchArchive(reader, skill!.archives[0]!)).rejects.toMatchObject({ code: 'digest' })
  })

  it('refuses an archive that is served as text', async () => {
    await using server = await serveResources({
      'skill://index.json': indexOf({ demo }),
      'skill://demo.tar.gz': 'text',
    })
    const reader = openReader(server.url)
    const [skill] = await readIndex(reader)
    await expect(fetchArchive(reader, skill!.archives[0]!)).rejects.toThrow('was served as text')
  })
})
