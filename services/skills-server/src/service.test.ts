import { deriveCanary, deriveToken, manualTrial } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import type { Builders } from './fixtures/index.ts'
import { readConfig } from './config.ts'
import { createLog } from './log.ts'
import { startService } from './service.ts'
import { connect, read } from './testing/clients.ts'
import { modernRequest } from './testing/requests.ts'
import { openTrial, startTestService } from './testing/service.ts'
import { unpack } from './testing/unpack.ts'

const modernListen = {
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    notifications: { resourcesListChanged: true },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'listener', version: '1' },
    },
  },
}

const modernHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'subscriptions/listen',
}

describe('startService', () => {
  it('stamps the catalogue at /mcp with the demonstration canary', async () => {
    await using service = await startTestService()
    await using client = await connect('v2 auto', `${service.mcpUrl}/mcp`)
    const { bytes } = await read(client, 'skill://adv-zip-traversal.zip')
    const entries = await unpack({ format: 'zip', bytes })
    const token = deriveToken(deriveCanary('demonstration', manualTrial), 'adv-zip-traversal', 'inside')
    expect(entries[0]?.content.toString()).toContain(token)
  })

  it('stops within two seconds while a stream is open', async () => {
    const service = await startTestService()
    const stream = await fetch(`${service.mcpUrl}/mcp`, {
      method: 'POST',
      headers: modernHeaders,
      body: JSON.stringify(modernListen),
    })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    const reader = stream.body?.getReader()
    await reader?.read()
    const started = performance.now()
    await service.stop()
    expect(performance.now() - started).toBeLessThan(2_000)
    await expect(fetch(`${service.mcpUrl}/healthz`)).rejects.toThrow()
    await reader?.cancel().catch(() => undefined)
  })

  it('leaves no port open when the other one cannot be had', async () => {
    await using first = await startTestService()
    const log = createLog('silent', { write: () => undefined })
    const taken = new URL(first.mcpUrl).port
    await expect(startService(readConfig({ PORT: taken, CONTROL_PORT: '0' }), { log })).rejects.toMatchObject({
      code: 'machine',
    })
  })

  it('answers a failing builder with an internal error that says nothing, and logs the cause with the request', async () => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(line) })
    const fixtures: Builders = new Map([['broken', () => Promise.reject(new Error('secret /path of mine'))]])
    await using service = await startTestService({ log, sources: { fixtures, corpus: new Map(), single: new Map() } })
    await using client = await connect('v2 pinned', `${service.mcpUrl}/mcp`)
    await expect(read(client, 'skill://index.json')).rejects.toMatchObject({ code: -32603, message: 'Internal error' })
    const failure = lines.map((line) => JSON.parse(line) as Record<string, unknown>).find(({ level }) => level === 50)
    expect(failure).toMatchObject({ method: 'resources/read', requestId: expect.any(String) as string })
    expect(JSON.stringify(failure)).toContain('secret /path of mine')
  })

  it('logs one JSON object a line, whatever a client sends', async () => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(line) })
    await using service = await startTestService({ log })
    const forged = '%0A{"level":30,"msg":"forged"}\u009b2J\u202e'
    const response = await fetch(`${service.mcpUrl}/nope${forged}`, { headers: { 'x-request-id': 'mine' } })
    await response.text()
    await openTrial(service, 'k', 'control-benign')
    await expect.poll(() => lines.length).toBe(2)
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true)
    expect(lines.join('')).toMatch(/^[\n\x20-\x7e]*$/)
    expect(parsed.map(({ status }) => status)).toEqual([404, 201])
    expect(parsed[0]?.requestId).toBe(response.headers.get('x-request-id'))
    expect(parsed[0]?.requestId).not.toBe('mine')
  })
})

describe('the log', () => {
  it('holds nothing that moves a terminal, and no long text of a client', async () => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(line) })
    await using service = await startTestService({ log })
    const evil = `\u001b[2J\u009b2J\u202e\u007f${'x'.repeat(5_000)}`
    const request = modernRequest('resources/read', { uri: 'skill://a' })
    const body = request.body.replace('resources/read', JSON.stringify(evil).slice(1, -1))
    await (await fetch(`${service.mcpUrl}/mcp`, { ...request, body })).text()
    await expect.poll(() => lines.length).toBe(2)
    expect(lines[0]).toContain('turned away')
    expect(lines.join('')).toMatch(/^[\n\x20-\x7e]*$/)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1_000)
  })
})
