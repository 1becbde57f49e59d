import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { startTestService } from '../testing/service.ts'

/** Sends a request line that no client library would, and gives the answer's status line and body. */
async function ask(url: string, line: (host: string) => string): Promise<string> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`${line(host)} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  return await text(socket)
}

describe('the request line', () => {
  it('may name this server itself, and is then served by its path', async () => {
    await using service = await startTestService()
    expect(await ask(service.mcpUrl, (host) => `GET http://${host}/healthz`)).toMatch(
      /^HTTP\/1\.1 200 .*"status":"ok"/s,
    )
  })

  it.each([
    ['another host', () => 'POST http://evil.example/mcp', 400],
    ['something that is no address', () => 'POST *', 400],
    ['a method that nobody serves', () => 'TRACE /mcp', 405],
  ])('is refused as JSON when it names %s', async (_, line, status) => {
    await using service = await startTestService()
    const answer = await ask(service.mcpUrl, line)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toContain('application/json')
  })
})
