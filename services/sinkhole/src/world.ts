import { createHash } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { otherOrigin } from '@landfall/contracts'
import { findAnswer, type Target, targetOf } from './answers.ts'
import type { Limits } from './limits.ts'
import { calledMethod, mostMcpBytes, type OtherOrigin } from './other-origin.ts'
import { type ReceivedBody, receive } from './received.ts'
import type { Senders } from './senders.ts'
import type { Trial, TrialRegistry } from './trials.ts'
import type { Witness } from './witness.ts'

/**
 * What a victim finds wherever it goes: any host, any path, any method. The request is read to its end first and
 * written down after it was answered.
 *
 * Node's own server and no framework: there is nothing to route, and what parses hostile requests should be small.
 */
export interface WorldParts {
  readonly witness: Witness
  readonly trials: TrialRegistry
  readonly senders: Senders
  readonly limits: Limits
  readonly otherOrigin: OtherOrigin
  readonly onFault: (error: unknown) => void
}

/** Of no bytes. */
const emptySha256 = createHash('sha256').digest('hex')

export type Scheme = 'http' | 'https'
const nothing = 'There is nothing here. This is the sinkhole of a Landfall lab.\n'

export function createWorld(parts: WorldParts, scheme: Scheme): RequestListener {
  return (request, response) => {
    meet(parts, scheme, request, response).catch((error: unknown) => {
      parts.onFault(error)
      response.destroy()
    })
  }
}

/** A request for a tunnel has no body that is ours, and is never served. */
export function meetTunnel({ witness, senders }: WorldParts, scheme: Scheme, request: IncomingMessage): void {
  const { from, trial } = senders.of(request.socket)
  const { method = '', url = '', rawHeaders } = request
  const { host } = targetOf('/', url)
  const headers = pairs(rawHeaders)
  const nobody = { bodyBytes: 0, bodySha256: emptySha256, body: '', cut: false }
  witness.request({ from, scheme, host, method, path: url, headers, ...nobody, status: 405 }, [], trial)
}

async function meet(parts: WorldParts, scheme: Scheme, request: IncomingMessage, response: ServerResponse) {
  const { witness, senders, limits } = parts
  const { from, trial } = senders.of(request.socket)
  const { method = '', url = '', headers } = request
  const target = targetOf(url, headers.host)
  const mcp = target.host === otherOrigin.authority && target.path === new URL(otherOrigin.mcpUrl).pathname
  const body = await receive(request, mcp ? { bodyRead: mostMcpBytes, bodyKept: mostMcpBytes } : limits)
  // A client may be gone before it is answered; what it sent counts all the same.
  await answer(parts, { request, response, target, body, mcp, sender: trial })
  const call = mcp ? calledMethod(body.beginning) : undefined
  witness.request(
    {
      from,
      scheme,
      host: target.host,
      method,
      path: url,
      headers: pairs(request.rawHeaders),
      bodyBytes: body.bytes,
      bodySha256: body.sha256,
      body: body.beginning.subarray(0, limits.bodyKept).toString('base64'),
      cut: body.cut !== 'no',
      status: body.cut === 'left' ? 0 : response.statusCode,
      ...(call === undefined ? {} : { mcp: call }),
    },
    body.tokens,
    trial,
  )
}

interface Meeting {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: Target
  readonly body: ReceivedBody
  readonly mcp: boolean
  readonly sender: Trial | undefined
}

async function answer(parts: WorldParts, { request, response, target, body, mcp, sender }: Meeting): Promise<void> {
  if (body.cut === 'left') return
  if (body.cut === 'too-large') {
    response.setHeader('Connection', 'close')
    response.writeHead(413).end(() => request.destroy())
    return
  }
  if (mcp) return parts.otherOrigin.handle(request, response, body.beginning)
  const script = findAnswer(parts.trials.answersFor(`${request.url} ${target.host}`, sender), target)
  response.writeHead(script?.status ?? 404, { 'Content-Type': script?.contentType ?? 'text/plain; charset=utf-8' })
  response.end(script?.body ?? nothing)
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: Math.floor(raw.length / 2) }, (_, index): [string, string] => [
    raw[index * 2] ?? '',
    raw[index * 2 + 1] ?? '',
  ])
}
