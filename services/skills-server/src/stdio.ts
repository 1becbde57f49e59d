import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { rpcError } from './http/errors.ts'
import { createSkillsServer } from './mcp/server.ts'
import { openParts, sharedCatalogue } from './service.ts'
import { chosenBuilders, loadSources } from './sources.ts'
import { JsonLines } from './stdio-lines.ts'

/** Serves one client over stdin and stdout, in whichever era it opens. */
export interface StdioService {
  readonly mcpUrl?: undefined
  stop(): Promise<void>
}

/** Ends by itself when stdin does. Nothing but MCP goes to stdout. */
export async function startStdio(config: Config, log: Logger): Promise<StdioService> {
  const sources = await loadSources(config, log)
  const catalogue = sharedCatalogue(config, chosenBuilders(sources, config))
  const parts = openParts(catalogue, (method, error) => log.error({ method, err: error }, 'request failed'))
  const lines = new JsonLines(() => {
    log.warn({ reason: 'The line is not JSON' }, 'message turned away')
    // Nobody knows the id of what cannot be read.
    process.stdout.write(`${JSON.stringify(rpcError(ProtocolErrorCode.ParseError, 'Parse error'))}\n`)
  })
  const handle = serveStdio(({ era }) => createSkillsServer(parts, era), {
    transport: new StdioServerTransport(lines),
    maxSubscriptions: 16,
    onerror: (error) => log.warn({ reason: error.message }, 'message turned away'),
  })
  process.stdin.pipe(lines)
  return {
    stop: async () => {
      // Otherwise an open stdin keeps the process alive.
      process.stdin.unpipe(lines).pause()
      await handle.close()
    },
  }
}
