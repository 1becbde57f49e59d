import type { IncomingMessage, ServerResponse } from 'node:http'
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { rpcError } from '../http/errors.ts'
import { readBody } from '../http/read-body.ts'
import { onBehalfOf } from '../request-scope.ts'

/**
 * Carries one HTTP exchange between Node and the SDK's web-standard handler.
 *
 * The SDK has an adapter of its own (`toNodeHandler`). Behind it a body is copied, decoded and parsed again on
 * each layer, and a JSON answer leaves in chunks, which together cost more than answering. Here a body is read
 * and parsed once. What is no JSON is handed on as text, so that the SDK alone decides how that is answered.
 */
/** The SDK's own code for it. */
const payloadTooLarge = -32_000

export type Fetch = (request: Request, options?: { readonly parsedBody?: unknown }) => Promise<Response>

export interface NodeHandlerOptions {
  readonly maxRequestBytes: number
  /** Hears of requests that could not be handed on at all. */
  readonly onError: (error: Error) => void
}

export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

export function nodeHandler(fetch: Fetch, { maxRequestBytes, onError }: NodeHandlerOptions): NodeHandler {
  return async (incoming, outgoing) => {
    const body = await readBody(incoming, maxRequestBytes)
    // Nobody is left to answer.
    if (body === 'gone') return
    if (body === 'too-large') {
      outgoing.shouldKeepAlive = false
      await send(failure(413, payloadTooLarge, `The body is larger than ${maxRequestBytes} bytes`), outgoing)
      return
    }
    const asked = { incoming, outgoing, body: body.text }
    await send(await onBehalfOf(outgoing, async () => await answerTo(fetch, asked, onError)), outgoing)
  }
}

interface Asked {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly body: string
}

async function answerTo(fetch: Fetch, asked: Asked, onError: NodeHandlerOptions['onError']): Promise<Response> {
  try {
    const parsed = asked.incoming.method === 'POST' ? parse(asked.body) : undefined
    if (parsed === undefined) return await fetch(webRequest(asked, { body: asked.body }))
    const lasting = isLasting(parsed.value) ? { signal: goneSignal(asked.outgoing) } : {}
    return await fetch(webRequest(asked, lasting), { parsedBody: parsed.value })
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)))
    return failure(500, ProtocolErrorCode.InternalError, 'Internal server error')
  }
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/**
 * Whether an answer goes on until its client leaves. All others are made at once, and to tell them that nobody
 * waits any more would cost each of them what a tenth of the whole exchange costs: a `Request` follows a signal
 * by way of the garbage collector.
 */
function isLasting(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'method' in message && message.method === 'subscriptions/listen'
  )
}

/** Aborts when the client leaves before its answer has ended. */
function goneSignal(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableEnded) gone.abort()
  })
  if (outgoing.destroyed) gone.abort()
  return gone.signal
}

/** Nothing behind asks for the address, and one that a client can choose might be none. */
const address = 'http://localhost/'

function webRequest({ incoming }: Asked, { body = '', signal }: { body?: string; signal?: AbortSignal }): Request {
  const { method = 'POST', headers } = incoming
  const withoutBody = body === '' || method === 'GET' || method === 'HEAD'
  return new Request(address, {
    method,
    headers: webHeaders(headers),
    ...(signal === undefined ? {} : { signal }),
    ...(withoutBody ? {} : { body }),
  })
}

function webHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  const known: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    // The only header that is a list is one that no request has a use for.
    if (typeof value === 'string') known[name] = value
  }
  return known
}

/** Connections are Node's: what the SDK says of them would keep one open that the client wants closed. */
const ours = new Set(['connection', 'keep-alive', 'transfer-encoding'])

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers: Record<string, string | number> = {}
  for (const [name, value] of response.headers) if (!ours.has(name)) headers[name] = value
  const { body } = response
  if (body !== null && headers['content-type'] === 'text/event-stream') {
    outgoing.writeHead(response.status, headers)
    await stream(body, outgoing)
    return
  }
  const bytes = body === null ? undefined : Buffer.from(await response.arrayBuffer())
  headers['content-length'] = bytes?.length ?? 0
  outgoing.writeHead(response.status, headers).end(bytes)
}

/** Sends chunk by chunk, no faster than the client takes them. */
async function stream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader()
  let wake = () => undefined as void
  outgoing.on('drain', () => wake())
  outgoing.once('close', () => {
    wake()
    // Whoever makes the chunks is to know that nobody takes them any more.
    reader.cancel().catch(() => undefined)
  })
  try {
    for (let next = await reader.read(); !next.done && !outgoing.destroyed; next = await reader.read()) {
      if (!outgoing.write(next.value)) await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    outgoing.end()
  }
}

function failure(status: number, code: number, message: string): Response {
  return Response.json(rpcError(code, message), { status })
}
