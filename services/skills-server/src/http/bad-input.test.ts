import { describe, expect, it } from 'vitest'
import { maxRequestBytes } from '../mcp/endpoint.ts'
import { getAs, openTrial, postJson, registrationOf, startTestService } from '../testing/service.ts'

/** Whatever is sent to either port: the answer is JSON and tells nothing about this machine. */
const accept = { accept: 'application/json, text/event-stream' }
const telltale = /<html|<!doctype|node_modules|\/src\/|\.ts:|\n\s+at |[a-z]Error: /i

async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  const body = await response.text()
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('x-powered-by')).toBeNull()
  expect(body).not.toMatch(telltale)
  return JSON.parse(body) as Record<string, unknown>
}

describe('the MCP port', () => {
  it.each(['/mcp', '/t/bad/mcp'])('answers malformed JSON at %s as JSON-RPC', async (path) => {
    await using service = await startTestService()
    await openTrial(service, 'bad', 'control-benign')
    const response = await postJson(service.mcpUrl + path, '{"jsonrpc":', accept)
    expect(response.status).toBe(400)
    expect(await jsonOf(response)).toMatchObject({ error: { code: -32700 } })
  })

  it('refuses a body that is too large', async () => {
    await using service = await startTestService()
    const response = await postJson(`${service.mcpUrl}/mcp`, { padding: 'x'.repeat(maxRequestBytes) }, accept)
    expect(response.status).toBe(413)
    expect(await jsonOf(response)).toMatchObject({ error: { message: expect.any(String) as string } })
  })

  it.each(['/', '/nope', '/mcp/more', '/t/unknown/mcp', '/t/mcp', '/trials'])('has nothing at %s', async (path) => {
    await using service = await startTestService()
    const response = await postJson(service.mcpUrl + path, { jsonrpc: '2.0', id: 1, method: 'ping' }, accept)
    expect(response.status).toBe(404)
    expect(await jsonOf(response)).toMatchObject({ jsonrpc: '2.0', error: { code: -32601 } })
  })

  it('answers a path that cannot be decoded', async () => {
    await using service = await startTestService()
    const response = await fetch(`${service.mcpUrl}/t/%E0%A4%A/mcp`)
    expect(response.status).toBe(400)
    await jsonOf(response)
  })

  it('refuses a foreign origin and lets that of this machine pass', async () => {
    await using service = await startTestService()
    const url = `${service.mcpUrl}/healthz`
    const foreign = await fetch(url, { headers: { origin: 'http://evil.example' } })
    expect(foreign.status).toBe(403)
    await jsonOf(foreign)
    expect((await fetch(url, { headers: { origin: 'http://localhost:1234' } })).status).toBe(200)
  })

  it('refuses a foreign Host', async () => {
    await using service = await startTestService()
    expect((await getAs(`${service.mcpUrl}/healthz`, 'evil.example')).status).toBe(403)
    expect((await getAs(`${service.mcpUrl}/healthz`, 'localhost:9')).status).toBe(200)
  })

  it.each(['GET', 'DELETE', 'PUT'])('does not take %s at the endpoint', async (method) => {
    await using service = await startTestService()
    const response = await fetch(`${service.mcpUrl}/mcp`, { method, headers: accept })
    expect(response.status).toBe(405)
    await jsonOf(response)
  })

  it('tells who it is', async () => {
    await using service = await startTestService()
    const answer = await jsonOf(await fetch(`${service.mcpUrl}/healthz`))
    expect(answer).toMatchObject({ status: 'ok', service: 'skills-server' })
  })
})

describe('the control port', () => {
  it.each([
    ['text that is no JSON', '{"key":'],
    ['a list', []],
    ['a key with a slash', registrationOf('a/b', 'control-benign')],
    ['a short canary', { ...registrationOf('k', 'control-benign'), canary: 'abc' }],
    ['a field too many', { ...registrationOf('k', 'control-benign'), more: 1 }],
    ['a revision that does not exist', { ...registrationOf('k', 'control-benign'), revision: 'draft' }],
    ['a revision in which the fixture means nothing', registrationOf('k', 'adv-zip-traversal', 'stable')],
  ])('refuses %s', async (_what, body) => {
    await using service = await startTestService()
    const response = await postJson(`${service.controlUrl}/trials`, body)
    expect(response.status).toBe(400)
    expect(await jsonOf(response)).toMatchObject({ error: { code: 'invalid', message: expect.any(String) as string } })
  })

  it('refuses a body that is too large', async () => {
    await using service = await startTestService()
    const response = await postJson(`${service.controlUrl}/trials`, { key: 'x'.repeat(100_000) })
    expect(response.status).toBe(413)
    await jsonOf(response)
  })

  it('refuses a body that is not declared as JSON', async () => {
    await using service = await startTestService()
    const response = await postJson(`${service.controlUrl}/trials`, registrationOf('k', 'control-benign'), {
      'content-type': 'text/plain',
    })
    expect(response.status).toBe(400)
    await jsonOf(response)
  })

  it.each(['/', '/mcp', '/trials/a/b'])('has nothing at %s', async (path) => {
    await using service = await startTestService()
    const response = await fetch(service.controlUrl + path)
    expect(response.status).toBe(404)
    expect(await jsonOf(response)).toMatchObject({ error: { code: 'unknown' } })
  })

  it('refuses a foreign Host and a foreign origin', async () => {
    await using service = await startTestService()
    expect((await getAs(`${service.controlUrl}/healthz`, 'evil.example')).status).toBe(403)
    const foreign = await fetch(`${service.controlUrl}/trials/x`, { headers: { origin: 'http://evil.example' } })
    expect(foreign.status).toBe(403)
  })
})
