import type { Logger } from 'pino'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Config } from './config.ts'
import { createSkillsServer } from './mcp/server.ts'
import { openParts, sharedCatalogue } from './service.ts'
import { chosenBuilders, loadSources } from './sources.ts'

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
  const handle = serveStdio(({ era }) => createSkillsServer(parts, era), {
    maxSubscriptions: 16,
    onerror: (error) => log.warn({ reason: error.message }, 'message turned away'),
  })
  return { stop: async () => await handle.close() }
}
