import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Asked } from '../delivery/answer.ts'
import type { TrialStore } from '../trials/trial-store.ts'
import { controlError } from './errors.ts'
import { readBody } from './read-body.ts'
import { sendJson } from './step.ts'

/** Requests of installers that speak no MCP: everything below a trial's path but its MCP endpoint. */
export interface Delivery extends Pick<Asked, 'path' | 'query'> {
  readonly key: string
}

const pattern = /^\/t\/([^/?]+)\/([^?]+)(?:\?(.*))?$/s
/** A clone asks with a few lines. */
const maxBody = 64 * 1024

/** `undefined` for what is not such a request. */
export function deliveryTo({ url = '' }: Pick<IncomingMessage, 'url'>): Delivery | undefined {
  const [, key, rest, query] = pattern.exec(url) ?? []
  if (key === undefined || rest === undefined || /^mcp\/?$/.test(rest)) return undefined
  try {
    const path = rest.split('/').map((segment) => decodeURIComponent(segment))
    return { key: decodeURIComponent(key), path, query: new URLSearchParams(query) }
  } catch {
    return undefined
  }
}

export async function answerOutside(
  trials: TrialStore,
  { key, path, query }: Delivery,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET' } = request
  const body = await readBody(request, maxBody)
  // Nobody is left to answer.
  if (body === 'gone') return
  if (body === 'too-large') {
    response.shouldKeepAlive = false
    sendJson(response, 413, controlError('invalid', `The body is larger than ${maxBody} bytes`))
    return
  }
  const answer = await trials.deliver(key, { method, path, query, body: body.text })
  if (answer === undefined) {
    sendJson(response, 404, controlError('unknown', 'No such trial'))
    return
  }
  const headers = { 'Content-Type': answer.type, 'Content-Length': answer.bytes.length, 'Cache-Control': 'no-store' }
  response.writeHead(answer.status, headers).end(method === 'HEAD' ? undefined : answer.bytes)
}
