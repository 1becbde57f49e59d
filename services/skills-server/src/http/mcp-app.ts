import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { McpEndpoint } from '../mcp/endpoint.ts'
import { scopeOf } from '../request-scope.ts'
import type { TrialStore } from '../trials/trial-store.ts'
import { limitConcurrency, limitRate } from './admission.ts'
import { answerOutside, deliveryTo } from './outside-mcp.ts'
import type { BaseParts } from './base-steps.ts'
import { baseSteps, pathOf } from './base-steps.ts'
import { rpcError } from './errors.ts'
import { sendJson } from './step.ts'

/**
 * The port that victims and MCP clients see: `/mcp` with everything that can be listed together,
 * `/endless/<fixture>/mcp` for each fixture that cannot, `/t/<key>/mcp` for one trial, and everything else below
 * `/t/<key>/` for installers that speak no MCP.
 *
 * No framework and no body parser stands before the MCP handler: it reads the body itself and answers bad JSON
 * as JSON-RPC, and a few kinds of path need no router.
 */
export interface McpAppParts extends BaseParts {
  readonly staticEndpoint: McpEndpoint
  /** By fixture. */
  readonly endless: ReadonlyMap<string, McpEndpoint>
  readonly trials: TrialStore
  readonly limits: HttpLimits
}

export interface HttpLimits {
  /** Requests a minute of one client address; 0 is no limit. */
  readonly rate: number
  /** Requests that are being answered at once, of all clients. */
  readonly concurrency: number
  /** Proxies in front of this server that are believed when they say who the client is. */
  readonly trustedProxies: number
}

export function mcpApp(parts: McpAppParts): RequestListener {
  const { limits, log } = parts
  const steps = baseSteps(parts)
  const admit = limitRate(limits)
  const inTurn = limitConcurrency(limits.concurrency)
  return (request, response) => {
    const failed = (error: unknown) => {
      log.error({ requestId: scopeOf(response)?.id, err: error }, 'request failed')
      if (response.headersSent) response.destroy()
      else sendJson(response, 500, rpcError(ProtocolErrorCode.InternalError, 'Internal error'))
    }
    const answerIt = () => void answer(parts, request, response).catch(failed)
    const admitIt = async () => {
      if (await admit(request, response)) inTurn(request, response, answerIt)
    }
    try {
      steps(request, response, () => void admitIt().catch(failed))
    } catch (error) {
      failed(error)
    }
  }
}

async function answer(parts: McpAppParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = pathOf(request.url ?? '/').replace(/\/$/, '')
  const delivery = deliveryTo(request)
  if (delivery !== undefined) {
    await answerOutside(parts.trials, delivery, request, response)
    return
  }
  const endpoint = path === '/mcp' ? parts.staticEndpoint : named(parts, path)
  if (endpoint === 'unreadable') sendJson(response, 400, rpcError(ProtocolErrorCode.InvalidRequest, unreadable))
  else if (endpoint !== undefined) await endpoint.handle(request, response)
  else sendJson(response, 404, rpcError(ProtocolErrorCode.MethodNotFound, 'No such endpoint'))
}

const unreadable = 'The request cannot be read'
const namedPath = /^\/(endless|t)\/([^/]+)\/mcp$/

function named({ endless, trials }: McpAppParts, path: string): McpEndpoint | 'unreadable' | undefined {
  const [, kind, name] = namedPath.exec(path) ?? []
  if (name === undefined) return undefined
  try {
    const decoded = decodeURIComponent(name)
    return kind === 'endless' ? endless.get(decoded) : trials.endpoint(decoded)
  } catch (error) {
    if (error instanceof URIError) return 'unreadable'
    throw error
  }
}
