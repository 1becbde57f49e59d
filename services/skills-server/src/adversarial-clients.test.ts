import type { FixtureRow } from '@landfall/catalog'
import { fixtures } from '@landfall/catalog'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ServedFile } from './catalogue/served.ts'
import { fileUri, archiveUri } from './catalogue/uris.ts'
import { loadBuilders } from './fixtures/index.ts'
import type { TestClient } from './testing/clients.ts'
import { clientKinds, connect, read, stdioTarget } from './testing/clients.ts'
import { startTestService } from './testing/service.ts'
import { deriveCanary, manualTrial } from '@landfall/contracts'

/** Every client that people have reads every fixture: whatever it lies about, no client of ours is what stops it. */
const canary = deriveCanary('demonstration', manualTrial)
const builders = await loadBuilders()
const endless = fixtures.filter(({ endpoint }) => endpoint === 'own')
const together = fixtures.filter(({ endpoint }) => endpoint === undefined)

interface Expected {
  readonly uri: string
  /** All contents that a read may answer; none where it must fail. */
  readonly contents: readonly Buffer[]
}

const contentsOf = ({ bytes, lie }: ServedFile) => (lie?.missing === true ? [] : (lie?.reads ?? [bytes]))

async function expectedOf({ id }: FixtureRow): Promise<Expected[]> {
  const { skills = [] } = (await builders.get(id)?.(canary)) ?? {}
  return skills.flatMap((skill) => [
    ...skill.files.map((file) => ({ uri: fileUri(skill, file), contents: contentsOf(file) })),
    ...skill.archives.map(({ format, bytes }) => ({ uri: archiveUri(skill, format), contents: [bytes] })),
  ])
}

async function readFixture(client: TestClient, row: FixtureRow): Promise<number> {
  const expected = await expectedOf(row)
  for (const { uri, contents } of expected) {
    if (contents.length === 0) {
      await expect(read(client, uri)).rejects.toMatchObject({ code: -32602 })
      continue
    }
    const { bytes } = await read(client, uri)
    expect(contents.some((content) => content.equals(bytes))).toBe(true)
  }
  return expected.length
}

async function listIt(client: TestClient): Promise<number> {
  return z.array(z.unknown()).parse((await client.request('skills/list', {}))['skills']).length
}

describe.each(clientKinds)('%s client', { timeout: 120_000 }, (kind) => {
  it('reads every fixture over HTTP', async () => {
    await using service = await startTestService()
    await using client = await connect(kind, `${service.mcpUrl}/mcp`)
    expect(await listIt(client)).toBeGreaterThan(0)
    for (const row of together) expect(await readFixture(client, row)).toBeGreaterThan(0)
    for (const row of endless) {
      await using alone = await connect(kind, `${service.mcpUrl}/endless/${row.id}/mcp`)
      expect(await listIt(alone)).toBeGreaterThan(0)
      expect(await readFixture(alone, row)).toBeGreaterThan(0)
    }
  })

  it('reads every fixture over stdio', async () => {
    await using client = await connect(kind, stdioTarget(['--adversarial']))
    expect(await listIt(client)).toBeGreaterThan(0)
    for (const row of together) expect(await readFixture(client, row)).toBeGreaterThan(0)
    for (const row of endless) {
      await using alone = await connect(kind, stdioTarget(['--fixture', row.id]))
      expect(await listIt(alone)).toBeGreaterThan(0)
      expect(await readFixture(alone, row)).toBeGreaterThan(0)
    }
  })
})
