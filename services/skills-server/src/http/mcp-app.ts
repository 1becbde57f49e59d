import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Express, Request, Response } from 'express'
import type { McpEndpoint } from '../mcp/endpoint.ts'
import type { TrialStore } from '../trials/trial-store.ts'
import type { BaseAppParts } from './base-app.ts'
import { limitConcurrency, limitRate } from './admission.ts'
import { baseApp } from './base-app.ts'
import { errorHandler } from './error-handler.ts'
import { rpcError } from './errors.ts'

/**
 * The port that victims and MCP clients see: `/mcp` with everything that can be listed together,
 * `/endless/<fixture>/mcp` for each fixture that cannot, `/t/<key>/mcp` for one trial.
 *
 * No body parser stands before the MCP handler. It reads the body itself and answers bad JSON as JSON-RPC,
 * where the framework's own parser would answer with a page of HTML.
 */
export interface McpAppParts extends BaseAppParts {
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

export function mcpApp({ staticEndpoint, endless, trials, limits, ...base }: McpAppParts): Express {
  const app = baseApp(base)
  app.set('trust proxy', limits.trustedProxies)
  app.use(limitRate(limits.rate), limitConcurrency(limits.concurrency))
  app.all('/mcp', async (request, response) => {
    await staticEndpoint.handle(request, response)
  })
  const one = (find: (name: string) => McpEndpoint | undefined) => {
    return async (request: Request<{ name: string }>, response: Response) => {
      const endpoint = find(request.params.name)
      if (endpoint === undefined) notFound(request, response)
      else await endpoint.handle(request, response)
    }
  }
  app.all(
    '/endless/:name/mcp',
    one((fixture) => endless.get(fixture)),
  )
  app.all(
    '/t/:name/mcp',
    one((key) => trials.endpoint(key)),
  )
  app.use(notFound)
  app.use(errorHandler(base.log, ({ body }) => rpcError(ProtocolErrorCode.InvalidRequest, body.error.message)))
  return app
}

function notFound(_request: unknown, response: Response): void {
  response.status(404).json(rpcError(ProtocolErrorCode.MethodNotFound, 'No such endpoint'))
}
