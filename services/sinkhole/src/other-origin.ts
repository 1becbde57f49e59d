import type { IncomingMessage, ServerResponse } from 'node:http'
import { otherOrigin } from '@landfall/contracts'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { serverInfo } from './version.ts'

/**
 * An MCP server that is not the one a skill came from (H26, iH12). What it serves is harmless; that a host asks it
 * because a skill of another server told it to, is what a trial looks for, and stands in the record of requests.
 */
export interface OtherOrigin {
  /** @param body the request's, which has been read. */
  handle(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void>
}

export const mostMcpBytes = 256 * 1024
const root = `skill://${otherOrigin.authority}/`
const mimeType = 'text/markdown'
const notes = 'Notes of another server. It has nothing to hide, and nothing to ask for.\n'

export function createOtherOrigin(onError: (error: Error) => void): OtherOrigin {
  const handler = createMcpHandler(createServer, {
    maxRequestBodySize: mostMcpBytes,
    maxSubscriptions: 16,
    onerror: onError,
  })
  const handle = toNodeHandler(handler, { maxRequestBodySize: mostMcpBytes, onerror: onError })
  return {
    async handle(incoming, response, body) {
      // The handler's types want what a server's requests always have.
      const request = Object.assign(incoming, { method: incoming.method ?? 'GET', url: incoming.url ?? '/' })
      if (body.length === 0) return handle(request, response)
      const parsed = parse(body)
      if (parsed !== undefined) return handle(request, response, parsed)
      response.writeHead(400, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_700, message: 'Not JSON' }, id: null }))
    },
  }
}

// oxlint-disable-next-line typescript/no-deprecated -- the high-level one offers no way to answer any URI
function createServer(): Server {
  // oxlint-disable-next-line typescript/no-deprecated -- as above
  const server = new Server(serverInfo, { capabilities: { resources: { listChanged: false } } })
  server.setRequestHandler('resources/list', () => ({
    resources: [{ uri: `${root}notes.md`, name: 'notes.md', mimeType }],
  }))
  server.setRequestHandler('resources/read', (request) => {
    const { uri } = request.params
    if (!uri.startsWith(root)) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, mimeType, text: notes }] }
  })
  return server
}

const Call = z.object({ method: z.string(), params: z.looseObject({ uri: z.string().optional() }).optional() })

/** What a body asks of an MCP server; undefined when it asks nothing that can be read. */
export function calledMethod(body: Buffer): { method: string; uri?: string } | undefined {
  const call = Call.safeParse(parse(body)).data
  if (call === undefined) return undefined
  const uri = call.params?.uri
  return { method: call.method.slice(0, 256), ...(uri === undefined ? {} : { uri: uri.slice(0, 2_048) }) }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
