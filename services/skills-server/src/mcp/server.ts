import type { Era } from '@landfall/contracts'
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { serverInfo } from '../version.ts'
import type { Observe } from './observed-server.ts'
import { ObservedServer } from './observed-server.ts'
import { contentItem, directoryItem, listItem } from './results.ts'

/**
 * One MCP server for one connection or one request: the methods of the index revision over a catalogue.
 *
 * The low-level server is used on purpose. The SDK's own skills extension hashes what it serves and would
 * not tell the lies that later fixtures have to tell.
 */
export interface ServerParts {
  readonly catalogue: Catalogue
  readonly observe: Observe
  /** Hears of every failure that the client only sees as an internal error. */
  readonly onFailure: (method: string, error: unknown) => void
}

const extensionId = 'io.modelcontextprotocol/skills'
/** Nothing may be cached: what a fixture serves may change from one read to the next. */
const cacheHint = { ttlMs: 0, cacheScope: 'private' as const }
const DirectoryReadParams = z.object({ uri: z.string(), cursor: z.string().optional() })

export function createSkillsServer({ catalogue, observe, onFailure }: ServerParts, era: Era): ObservedServer {
  const server = new ObservedServer(
    serverInfo,
    {
      capabilities: {
        resources: { listChanged: false },
        extensions: { [extensionId]: { directoryRead: true } },
      },
      cacheHints: { 'resources/list': cacheHint, 'resources/read': cacheHint, 'server/discover': cacheHint },
    },
    observe,
    era,
  )
  const guarded = async <T>(method: string, answer: () => Promise<T>): Promise<T> => {
    try {
      return await answer()
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      onFailure(method, error)
      // The cause stays in the log: its text may name files of this machine.
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error')
    }
  }

  server.setRequestHandler('resources/list', (request) =>
    guarded('resources/list', async () => {
      refuseCursor(request.params?.cursor)
      const { resources } = await catalogue.contents()
      return { resources: [...resources.values()].map(listItem) }
    }),
  )

  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))

  server.setRequestHandler('resources/read', (request) =>
    guarded('resources/read', async () => {
      const { uri } = request.params
      const { resources } = await catalogue.contents()
      const resource = resources.get(uri)
      if (resource === undefined) throw new ResourceNotFoundError(uri)
      return { contents: [contentItem(resource)] }
    }),
  )

  server.setRequestHandler('resources/directory/read', { params: DirectoryReadParams }, (params) =>
    guarded('resources/directory/read', async () => {
      refuseCursor(params.cursor)
      const { directories } = await catalogue.contents()
      const children = directories.get(params.uri)
      if (children === undefined) throw new ResourceNotFoundError(params.uri)
      // The SDK adds these two only to the methods of the core protocol.
      const cache = era === 'modern' ? cacheHint : {}
      return { resources: children.map(directoryItem), ...cache }
    }),
  )
  return server
}

/** Every list fits on one page, so no cursor was ever handed out. */
function refuseCursor(cursor: string | undefined): void {
  if (cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor')
}
