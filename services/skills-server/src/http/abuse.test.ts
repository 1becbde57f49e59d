import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { largeSkill } from '../testing/large-skill.ts'
import type { ServerProcess } from '../testing/process.ts'
import { startProcess } from '../testing/process.ts'
import { legacyRequest, modernRequest } from '../testing/requests.ts'
import { startTestService } from '../testing/service.ts'

/** Clients that ask too much, too slowly or by halves: an answer that says so, and no growth. */
const read = (uri: string) => modernRequest('resources/read', { uri })

async function statuses(url: string, count: number, at: number): Promise<Map<number, number>> {
  const seen = new Map<number, number>()
  const worker = async (share: number) => {
    for (let index = 0; index < share; index += 1) {
      const response = await fetch(url, read('skill://nobody/SKILL.md'))
      await response.arrayBuffer()
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: at }, async () => await worker(count / at)))
  return seen
}

async function openSocket({ url }: ServerProcess) {
  const { hostname, port } = new URL(url)
  const socket = connectSocket(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

function rawRequest({ headers, body }: ReturnType<typeof read>, length = Buffer.byteLength(body)): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return ['POST /mcp HTTP/1.1', 'host: 127.0.0.1', `content-length: ${length}`, ...lines, '', body].join('\r\n')
}

describe('a client that asks too much', { timeout: 60_000 }, () => {
  it('is told so with the standard headers, and others are not', async () => {
    await using service = await startTestService({}, { RATE_LIMIT: '3', TRUSTED_PROXIES: '1' })
    const ask = async (client: string) => {
      const request = read('skill://nobody/SKILL.md')
      const headers = { ...request.headers, 'x-forwarded-for': client }
      return await fetch(`${service.mcpUrl}/mcp`, { ...request, headers })
    }
    for (let count = 0; count < 3; count += 1) expect((await ask('192.0.2.1')).status).toBe(200)
    const refused = await ask('192.0.2.1')
    expect(refused.status).toBe(429)
    expect(await refused.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'Too many requests' },
    })
    expect(refused.headers.get('ratelimit')).toMatch(/r=0; t=\d+/)
    expect(refused.headers.get('ratelimit-policy')).toMatch(/q=3; w=60/)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask('192.0.2.2')).status).toBe(200)
    expect((await fetch(`${service.mcpUrl}/healthz`)).status).toBe(200)
  })

  it('does not make the server grow with ten thousand requests', async () => {
    await using server = await startProcess({ LOG_LEVEL: 'info', RATE_LIMIT: '8000' })
    await statuses(`${server.url}/mcp`, 4_000, 50)
    const before = await server.residentMiB()
    const seen = await statuses(`${server.url}/mcp`, 10_000, 50)
    expect(Object.fromEntries(seen)).toEqual({ 200: 4_000, 429: 6_000 })
    expect((await server.residentMiB()) - before).toBeLessThan(100)
  })
})

describe('a client that is slow', { timeout: 60_000 }, () => {
  it('does not fill the memory with large answers that it does not take, nor keep others waiting', async () => {
    await using skill = await largeSkill()
    await using server = await startProcess({ SKILLS_ROOT: skill.root, RATE_LIMIT: '0' })
    const url = `${server.url}/mcp`
    await (await fetch(url, read(skill.uri))).arrayBuffer()
    const before = await server.residentMiB()
    const sockets = await Promise.all(Array.from({ length: 60 }, async () => await openSocket(server)))
    for (const socket of sockets) {
      socket.pause()
      socket.write(rawRequest(read(skill.uri)))
    }
    await delay(1_500)
    expect((await fetch(url, read('skill://large/SKILL.md'))).status).toBe(200)
    expect((await server.residentMiB()) - before).toBeLessThan(400)
    for (const socket of sockets) socket.destroy()
    // Those that waited are gone; the next one gets the whole answer.
    const whole = await fetch(url, read(skill.uri))
    expect((await whole.arrayBuffer()).byteLength).toBeGreaterThan(skill.size)
  })
})

describe('a client that stops in the middle', { timeout: 60_000 }, () => {
  it('is let go, whether it ends its side or says no more', async () => {
    await using server = await startProcess({ RATE_LIMIT: '0' })
    const request = read('skill://nobody/SKILL.md')
    for (const part of [10, 100, rawRequest(request).length - 5]) {
      const socket = await openSocket(server)
      socket.resume()
      socket.end(rawRequest(request).slice(0, part))
      await once(socket, 'close')
    }
    const patient = await openSocket(server)
    patient.write(rawRequest(request).slice(0, 100))
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
    patient.destroy()
  })
})

describe('unknown things', () => {
  it('get what their era says', async () => {
    await using service = await startTestService()
    const url = `${service.mcpUrl}/mcp`
    const modern = await fetch(url, modernRequest('no/such/method'))
    expect(modern.status).toBe(404)
    expect(await modern.json()).toMatchObject({ error: { code: -32601 } })
    const legacy = await fetch(url, legacyRequest('no/such/method'))
    expect(legacy.status).toBe(200)
    expect(await legacy.text()).toContain('-32601')
    for (const uri of [
      'skill://nobody/SKILL.md',
      '../../etc/passwd',
      'file:///etc/passwd',
      'skill://a/%2e%2e/b',
      '\0',
      'x'.repeat(10_000),
    ]) {
      const missing = await fetch(url, read(uri))
      expect(missing.status).toBe(200)
      expect(await missing.json()).toMatchObject({ error: { code: -32602, data: { uri } } })
    }
  })
})
