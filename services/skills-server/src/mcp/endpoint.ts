import { createMcpHandler } from '@modelcontextprotocol/server'
import type { NodeHandler } from './node-handler.ts'
import { nodeHandler } from './node-handler.ts'
import type { ServerParts } from './server.ts'
import { createSkillsServer } from './server.ts'

/** One MCP endpoint over HTTP: both eras, one server for each request, one catalogue for all of them. */
export interface McpEndpoint {
  readonly handle: NodeHandler
  /** The same without a socket. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Ends what is under way, streams included. */
  close(): Promise<void>
}

/** Requests are small: a method, a URI and some metadata. */
export const maxRequestBytes = 256 * 1024
const maxStreams = 16

/** @param onRejected hears of requests that were turned away before they reached a server. */
export function createEndpoint(parts: ServerParts, onRejected: (error: Error) => void): McpEndpoint {
  const handler = createMcpHandler(({ era }) => createSkillsServer(parts, era), {
    maxRequestBodySize: maxRequestBytes,
    maxSubscriptions: maxStreams,
    onerror: onRejected,
  })
  const handle = nodeHandler(handler.fetch, { maxRequestBytes, onError: onRejected })
  return { handle, fetch: async (request) => await handler.fetch(request), close: async () => await handler.close() }
}
