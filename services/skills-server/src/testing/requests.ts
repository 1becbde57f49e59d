/** For tests: single requests as a modern client writes them. */
const version = '2026-07-28'
const info = { name: 'test-client', version: '1.0.0' }

export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': info,
}

/** Headers and body of one request. `Mcp-Name` is sent where the protocol wants it. */
export function modernRequest(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const named = { 'resources/read': params['uri'], 'tools/call': params['name'] }[method]
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof named === 'string' ? { 'mcp-name': headerValue(named) } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: modernMeta } }),
  }
}

/** Headers and body of one request without any session, as the stateless legacy era takes it. */
export function legacyRequest(method: string, params: Readonly<Record<string, unknown>> = {}) {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }
}

/** As the protocol writes values that a header cannot hold. */
function headerValue(text: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}
