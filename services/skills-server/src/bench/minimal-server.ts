/* oxlint-disable typescript/no-deprecated -- the low-level server, as in the one that it is compared with. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import { z } from 'zod'

/**
 * What the server under test is measured against: the same SDK with nothing around it. Answers two methods with
 * what it is given on stdin, and says its address on stdout.
 */
const Given = z.object({
  uri: z.string(),
  contents: z.array(z.object({ uri: z.string(), mimeType: z.string(), text: z.string() })),
  skills: z.array(z.unknown()),
})

const { uri, contents, skills } = Given.parse(JSON.parse(await text(process.stdin)))
const capabilities = { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } }
const Cursor = z.object({ cursor: z.string().optional() })

const handler = createMcpHandler(({ era }) => {
  const server = new Server({ name: 'minimal', version: '1.0.0' }, { capabilities })
  const caching = era === 'modern' ? { ttlMs: 0, cacheScope: 'private' as const } : {}
  server.setRequestHandler('resources/read', (request) => {
    if (request.params.uri !== uri) throw new ResourceNotFoundError(request.params.uri)
    return { contents }
  })
  server.setRequestHandler('skills/list', { params: Cursor }, () => ({ skills, ...caching }))
  return server
})

const handle = toNodeHandler(handler)
const server = createServer((request, response) => {
  // Node leaves open whether a request has these two; one that a server gets always has.
  const { method = 'POST', url = '/' } = request
  void handle(Object.assign(request, { method, url }), response)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
process.once('SIGTERM', () => process.exit(0))
