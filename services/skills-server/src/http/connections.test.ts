import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { largeSkill } from '../testing/large-skill.ts'
import { startProcess } from '../testing/process.ts'
import { legacyRequest, modernRequest } from '../testing/requests.ts'
import { startTestService } from '../testing/service.ts'

/** What one connection sees of the server, byte by byte: how it answers, and how it ends. */
function socketTo(url: string) {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname).on('error', () => undefined)
}

/** Everything that comes back until the server ends the connection. */
async function exchange(url: string, sent: string): Promise<{ head: string; body: string }> {
  const socket = socketTo(url)
  socket.write(sent)
  const [head = '', ...body] = (await text(socket)).split('\r\n\r\n')
  return { head: head.toLowerCase(), body: body.join('\r\n\r\n') }
}

function raw({ headers, body }: Pick<ReturnType<typeof legacyRequest>, 'headers' | 'body'>, ...more: string[]): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const length = `content-length: ${Buffer.byteLength(body)}`
  return ['POST /mcp HTTP/1.1', 'host: 127.0.0.1', length, ...lines, ...more, '', body].join('\r\n')
}

describe('a client that wants the connection closed', () => {
  it.each([
    ['JSON', modernRequest('skills/list')],
    ['a stream', legacyRequest('skills/list')],
  ])('gets %s and then the end', async (_what, request) => {
    await using service = await startTestService()
    const { head, body } = await exchange(service.mcpUrl, raw(request, 'connection: close'))
    expect(head).toContain('http/1.1 200')
    expect(head).toContain('connection: close')
    expect(head).not.toContain('keep-alive')
    expect(body).toContain('"skills"')
  })
})

describe('what is no HTTP', () => {
  it.each([
    ['a bad request line', 'nonsense\r\n\r\n', 400],
    ['headers that are too large', `GET /mcp HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['a bad header', 'GET /mcp HTTP/1.1\r\nhost: localhost\r\n: nameless\r\n\r\n', 400],
  ])('is answered as JSON: %s', async (_what, sent, status) => {
    await using service = await startTestService()
    for (const url of [service.mcpUrl, service.controlUrl]) {
      const { head, body } = await exchange(url, sent)
      expect(head).toContain(`http/1.1 ${status} `)
      expect(head).toContain('content-type: application/json')
      expect(JSON.parse(body)).toEqual({ error: { code: 'invalid', message: expect.any(String) as string } })
    }
  })
})

describe('a server that is told to stop', { timeout: 60_000 }, () => {
  it.each(['an open stream', 'a large answer that nobody takes'])(
    'does so within two seconds with %s',
    async (what) => {
      await using skill = await largeSkill()
      await using server = await startProcess({ SKILLS_ROOT: skill.root })
      const socket = socketTo(server.url)
      if (what === 'an open stream') {
        const listen = modernRequest('subscriptions/listen', { notifications: { resourcesListChanged: true } })
        socket.write(raw(listen))
        const [first] = (await once(socket, 'data')) as Buffer[]
        expect(first?.toString()).toContain('text/event-stream')
      } else {
        socket.write(raw(modernRequest('resources/read', { uri: skill.uri })))
        const [first] = (await once(socket, 'data')) as Buffer[]
        socket.pause()
        expect(first?.toString()).toContain('200 OK')
        await delay(300)
      }
      const started = performance.now()
      server.child.kill('SIGTERM')
      expect(await server.exit).toBe(0)
      expect(performance.now() - started).toBeLessThan(2_000)
      socket.destroy()
    },
  )
})
