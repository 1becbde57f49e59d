import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Answers } from './answer.ts'
import type { ObservedServer } from './observed-server.ts'
import { turnForBytes } from './large-answers.ts'
import { contentItem } from './results.ts'

/** `resources/list`, `resources/read` and `resources/directory/read`, which both revisions share. */
const DirectoryReadParams = z.object({ uri: z.string(), cursor: z.string().optional() })

export function addResourceMethods(server: ObservedServer, catalogue: Catalogue, answers: Answers): void {
  const { guarded, caching, page } = answers

  server.setRequestHandler('resources/list', (request) =>
    guarded('resources/list', async () => {
      const { listing, pages } = await catalogue.contents()
      const { items, next } = page('resources', request.params?.cursor, listing, pages.resources)
      return { resources: items, ...next }
    }),
  )

  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))

  server.setRequestHandler('resources/read', (request) =>
    guarded('resources/read', async () => {
      const { uri } = request.params
      const resource = await catalogue.read(uri)
      if (resource === undefined) throw new ResourceNotFoundError(uri)
      await turnForBytes(resource.bytes.length)
      return { contents: [contentItem(resource)] }
    }),
  )

  server.setRequestHandler('resources/directory/read', { params: DirectoryReadParams }, ({ uri, cursor }) =>
    guarded('resources/directory/read', async () => {
      const { directories, pages } = await catalogue.unpacked()
      const children = directories.get(uri)
      if (children === undefined) throw new ResourceNotFoundError(uri)
      const { items, next } = page(uri, cursor, children, pages.directory)
      return { resources: items, ...next, ...caching }
    }),
  )
}
