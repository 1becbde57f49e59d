import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen, type TestServer } from './mcp-server.ts'

/** How a connection or an answer ends before its time. */
export const breaks = ['reset', 'half-json', 'half-stream', 'status-503', 'status-429', 'page-404'] as const
export type Break = (typeof breaks)[number]

export interface BreakingProxy extends TestServer {
  /** Requests that were broken: a test whose proxy never broke one has shown nothing. */
  readonly broken: () => number
}

/**
 * Stands between a client and `target`, and breaks what the client asks from the `from`-th request of `method` on
 * (counted from 1). Everything before that passes unchanged.
 */
export async function breakFrom(target: string, method: string, from: number, how: Break): Promise<BreakingProxy> {
  let met = 0
  let broken = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    if (methodOf(body) === method) met += 1
    if (met >= from) {
      broken += 1
      breakOff(response, how)
      return
    }
    const passed = Object.entries(request.headers).flatMap(([name, value]) =>
      ofConnection.has(name) || typeof value !== 'string' ? [] : [[name, value] as const],
    )
    const real = await fetch(target, {
      method: request.method ?? 'POST',
      headers: Object.fromEntries(passed),
      ...(body === '' ? {} : { body }),
    })
    const type = real.headers.get('content-type')
    response.writeHead(real.status, type === null ? {} : { 'content-type': type })
    response.end(Buffer.from(await real.arrayBuffer()))
  }
  const server = await listen(createServer((request, response) => void answer(request, response)))
  return { ...server, broken: () => broken, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** Headers that belong to one connection. */
const ofConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])

function methodOf(body: string): unknown {
  const message: unknown = body === '' ? undefined : JSON.parse(body)
  return typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined
}

function breakOff(response: ServerResponse, how: Break): void {
  switch (how) {
    case 'reset':
      response.destroy()
      return
    case 'half-json':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"jsonrpc":"2.0","id":', () => response.destroy())
      return
    case 'half-stream':
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: message\ndata: {"jsonrpc":', () => response.destroy())
      return
    case 'status-503':
      response.writeHead(503, { 'content-type': 'text/plain' }).end('no 404 here, the service is down')
      return
    case 'status-429':
      response.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '1' }).end('too many requests')
      return
    case 'page-404':
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404 page not found</h1>')
  }
}
