import type { IncomingMessage } from 'node:http'
import { LandfallError } from '@landfall/contracts/errors'
import { quoted } from '../printable.ts'
import { onlyContent } from './content.ts'
import type { ResourceContent } from './content.ts'

/**
 * `resources/read` of the modern era as one HTTP request: the era is stateless, every request stands alone.
 *
 * Own code next to a library, for one reason: the SDK's client and what it loads take about 300 ms of
 * processor time, this 20 ms, and it is spent in every trial.
 */

// An ordinary import of node:http lists its exports, and one of them loads the whole of undici.
const http = process.getBuiltinModule('node:http')
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

const version = '2026-07-28'
/** Room for an archive of 16 MiB in base64, twice over. */
const answerLimitBytes = 48 * 1024 * 1024

const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'landfall-host', version: '0.1.0' },
}

/** The endpoint did not answer as one of the modern era does; the SDK's client may still get along with it. */
export class NotModern extends Error {}

let lastId = 0

/** @throws NotModern, or LandfallError `service`. */
export async function readModern(endpoint: URL, uri: string, limitMs: number): Promise<ResourceContent> {
  lastId += 1
  const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'resources/read', params: { uri, _meta: meta } })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': 'resources/read',
    'mcp-name': headerValue(uri),
    'content-length': Buffer.byteLength(body),
  }
  const answer = await post(endpoint, headers, body, limitMs)
  if (answer === undefined) throw new NotModern('not an answer of the modern era')
  const message = parseMessage(answer, lastId)
  if ('error' in message) {
    throw new LandfallError('service', `reading ${quoted(uri)} failed: ${quoted(JSON.stringify(message.error))}`, {
      uri,
    })
  }
  return onlyContent(message.result.contents, uri)
}

/** Values that are not plain text travel in base64 (streamable HTTP, 2026-07-28). */
function headerValue(text: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

/** The body of an answer in JSON with status 200; `undefined` for any other answer. */
function post(
  endpoint: URL,
  headers: Record<string, string | number>,
  body: string,
  limitMs: number,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      reject(new LandfallError('service', `${endpoint.href} ${why}`, { endpoint: endpoint.href }))
      request.destroy()
    }
    const timer = setTimeout(() => fail(`gave no answer in ${limitMs} ms`), limitMs)
    const request = http.request(endpoint, { agent, method: 'POST', headers }, (response: IncomingMessage) => {
      const json = response.headers['content-type']?.startsWith('application/json') === true
      if (response.statusCode !== 200 || !json) {
        clearTimeout(timer)
        response.resume()
        resolve(undefined)
        return
      }
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size > answerLimitBytes) fail(`answered with more than ${answerLimitBytes} bytes`)
      })
      response.on('error', (error) => fail(`broke off: ${error.message}`))
      response.on('end', () => {
        clearTimeout(timer)
        resolve(Buffer.concat(chunks).toString('utf8'))
      })
    })
    request.on('error', (error) => fail(`cannot be reached: ${error.message}`))
    request.end(body)
  })
}

type Message = { readonly error: unknown } | { readonly result: { readonly contents?: unknown } }

function parseMessage(text: string, id: number): Message {
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message === 'object' && message !== null && 'id' in message && message.id === id) {
      if ('error' in message) return { error: message.error }
      if ('result' in message && typeof message.result === 'object' && message.result !== null) {
        return { result: message.result }
      }
    }
  } catch {
    // Falls through: what is no JSON is no answer of the modern era either.
  }
  throw new NotModern('not a JSON-RPC answer')
}
