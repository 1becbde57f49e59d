import { ControlError, TrialEndpoint, TrialRecord } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import type { StartedService } from '../service.ts'
import { connect, read } from '../testing/clients.ts'
import { openTrial, postJson, registrationOf, startTestService } from '../testing/service.ts'

async function removeTrial(service: StartedService, key: string): Promise<TrialRecord> {
  const response = await fetch(`${service.controlUrl}/trials/${key}`, { method: 'DELETE' })
  expect(response.status).toBe(200)
  return TrialRecord.parse(await response.json())
}

describe('a trial over HTTP', () => {
  it('is registered, read and removed', async () => {
    await using service = await startTestService()
    const response = await postJson(`${service.controlUrl}/trials`, registrationOf('one', 'adv-archive-traversal'))
    expect(response.status).toBe(201)
    const { path } = TrialEndpoint.parse(await response.json())
    expect(path).toBe('/t/one/mcp')
    {
      await using client = await connect('v2 pinned', service.mcpUrl + path)
      await read(client, 'skill://index.json')
    }
    const record = await removeTrial(service, 'one')
    expect(record).toMatchObject({ key: 'one', fixture: 'adv-archive-traversal', droppedEntries: 0 })
    expect(record.archives.map(({ uri }) => uri)).toEqual(['skill://adv-archive-traversal.tar.gz'])
    expect((await fetch(service.mcpUrl + path, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${service.controlUrl}/trials/one`)).status).toBe(404)
  })

  it('cannot be registered twice', async () => {
    await using service = await startTestService()
    await openTrial(service, 'twice', 'control-benign')
    const again = await postJson(`${service.controlUrl}/trials`, registrationOf('twice', 'control-benign'))
    expect(again.status).toBe(409)
    expect(ControlError.parse(await again.json()).error.message).toContain('twice')
  })

  it('needs a fixture that exists', async () => {
    await using service = await startTestService()
    const response = await postJson(`${service.controlUrl}/trials`, registrationOf('k', 'adv-not-there'))
    expect(response.status).toBe(404)
    expect(ControlError.parse(await response.json()).error).toMatchObject({
      code: 'unknown',
      data: { kind: 'fixture', name: 'adv-not-there' },
    })
  })

  it('tells every archive it offers when it is opened, before anybody has read one', async () => {
    await using service = await startTestService()
    await openTrial(service, 'unread', 'adv-cumulative-budget')
    const { archives, access } = await removeTrial(service, 'unread')
    expect(archives.map(({ uri }) => uri)).toEqual(
      [1, 2, 3, 4, 5].map((part) => `skill://adv-cumulative-budget-${part}.tar.gz`),
    )
    expect(access).toEqual([])
  })

  it('serves its own fixture with its own canary and nothing of another trial', async () => {
    await using service = await startTestService()
    await using a = await connect('v2 pinned', await openTrial(service, 'a', 'adv-zip-traversal'))
    await using b = await connect('v2 pinned', await openTrial(service, 'b', 'adv-zip-traversal'))
    await using other = await connect('v2 pinned', await openTrial(service, 'c', 'control-benign'))
    const uri = 'skill://adv-zip-traversal.zip'
    expect((await read(a, uri)).bytes.equals((await read(b, uri)).bytes)).toBe(false)
    await expect(read(other, uri)).rejects.toMatchObject({ code: -32602 })
    expect((await removeTrial(service, 'b')).access.filter((entry) => entry.uri === uri)).toHaveLength(1)
  })
})
