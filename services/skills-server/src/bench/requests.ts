import type { Ask } from './load.ts'

/** The requests that are measured, as a client of either era writes them. URIs here are plain enough for a header. */
const version = '2026-07-28'

export function modernAsk(method: string, params: Readonly<Record<string, unknown>>): Ask {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  }
  const name = typeof params['uri'] === 'string' ? { 'mcp-name': params['uri'] } : {}
  const headers = { ...accepting, 'mcp-protocol-version': version, 'mcp-method': method, ...name }
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }) }
}

export function legacyAsk(method: string, params: Readonly<Record<string, unknown>>): Ask {
  return { headers: accepting, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) }
}

const accepting = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
