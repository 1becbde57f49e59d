import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Express, Request, Response } from 'express'
import type { McpEndpoint } from '../mcp/endpoint.ts'
import type { TrialStore } from '../trials/trial-store.ts'
import type { BaseAppParts } from './base-app.ts'
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
}

export function mcpApp({ staticEndpoint, endless, trials, ...base }: McpAppParts): Express {
  const app = baseApp(base)
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
