import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Express, Request, Response } from 'express'
import type { McpEndpoint } from '../mcp/endpoint.ts'
import type { TrialStore } from '../trials/trial-store.ts'
import type { BaseAppParts } from './base-app.ts'
import { baseApp } from './base-app.ts'
import { errorHandler } from './error-handler.ts'
import { rpcError } from './errors.ts'

/**
 * The port that victims and MCP clients see: `/mcp` with every fixture, `/t/<key>/mcp` for one trial.
 *
 * No body parser stands before the MCP handler. It reads the body itself and answers bad JSON as JSON-RPC,
 * where the framework's own parser would answer with a page of HTML.
 */
export interface McpAppParts extends BaseAppParts {
  readonly staticEndpoint: McpEndpoint
  readonly trials: TrialStore
}

export function mcpApp({ staticEndpoint, trials, ...base }: McpAppParts): Express {
  const app = baseApp(base)
  app.all('/mcp', async (request, response) => {
    await staticEndpoint.handle(request, response)
  })
  app.all('/t/:key/mcp', async (request, response) => {
    const endpoint = trials.endpoint(request.params.key)
    if (endpoint === undefined) notFound(request, response)
    else await endpoint.handle(request, response)
  })
  app.use(notFound)
  app.use(errorHandler(base.log, ({ body }) => rpcError(ProtocolErrorCode.InvalidRequest, body.error.message)))
  return app
}

function notFound(_request: Request, response: Response): void {
  response.status(404).json(rpcError(ProtocolErrorCode.MethodNotFound, 'No such endpoint'))
}
