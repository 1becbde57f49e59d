import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { ArchiveFormat } from '@landfall/contracts'
import { archiveMediaTypes } from '@landfall/contracts'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer, ResourceNotFoundError } from '@modelcontextprotocol/server'

/** MCP servers for tests: one that knows both eras, and ways to answer that no such server has. */
export interface TestServer extends AsyncDisposable {
  readonly url: URL
  /** Headers of every request, in order. */
  readonly requests: readonly IncomingHttpHeaders[]
}

/** Resources by URI: text, or bytes that are served as a blob. */
export type Resources = Readonly<Record<string, string | Buffer>>

/** @param options `modern: false` knows the legacy era alone; `sse` answers as a stream of events. */
export async function serveResources(
  resources: Resources,
  options: { modern?: boolean; sse?: boolean } = {},
): Promise<TestServer> {
  const handler = createMcpHandler(
    () => {
      const mcp = new McpServer({ name: 'test', version: '1' }, { capabilities: { resources: {} } })
      mcp.server.setRequestHandler('resources/read', ({ params: { uri } }) => {
        const content = Object.hasOwn(resources, uri) ? resources[uri] : undefined
        if (content === undefined) throw new ResourceNotFoundError(uri)
        const body = typeof content === 'string' ? { text: content } : { blob: content.toString('base64') }
        return { contents: [{ uri, ...body }] }
      })
      return mcp
    },
    options.sse === true ? { responseMode: 'sse' } : {},
  )
  const node = toNodeHandler(handler)
  const http = createServer((request, response) => {
    // As a server that has never heard of the modern era: it knows no method without a handshake.
    const modern = String(request.headers['mcp-protocol-version']).startsWith('2026')
    if (options.modern === false && modern) {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Unsupported protocol version' } }),
      )
    } else {
      const { method = 'GET', url = '/' } = request
      void node(Object.assign(request, { method, url }), response)
    }
  })
  return await listen(http, async () => await handler.close())
}

/** Answers every request with the same status, type and body. */
export async function serveAnswer(status: number, type: string, body: string): Promise<TestServer> {
  return await listen(
    createServer((request, response) => {
      request.resume()
      response.writeHead(status, { 'content-type': type }).end(body)
    }),
  )
}

/** Takes every request and never answers. */
export async function serveSilence(): Promise<TestServer> {
  return await listen(createServer((request) => request.resume()))
}

/** Answers every request with these contents, whatever they are. */
export async function serveContents(contents: unknown): Promise<TestServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const message: unknown = await json(request)
    const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : null
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', contents } }))
  }
  return await listen(createServer((request, response) => void answer(request, response)))
}

export async function listen(http: HttpServer, close?: () => Promise<void>): Promise<TestServer> {
  const requests: IncomingHttpHeaders[] = []
  http.prependListener('request', (request) => requests.push(request.headers))
  http.listen(0, '127.0.0.1')
  await new Promise((resolve) => http.once('listening', resolve))
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: new URL(`http://127.0.0.1:${address.port}/mcp`),
    requests,
    async [Symbol.asyncDispose]() {
      await close?.()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** An index that offers one archive for each name, with honest digests or the ones given. */
export function indexOf(
  archives: Readonly<Record<string, Buffer>>,
  digests: Readonly<Record<string, string>> = {},
): string {
  const skills = Object.entries(archives).map(([name, bytes]) => {
    const digest = digests[name] ?? `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    const archive = { url: `skill://${name}.tar.gz`, mimeType: 'application/gzip', digest }
    return { frontmatter: { name, description: 'For a test.' }, archives: [archive] }
  })
  return JSON.stringify({ skills })
}

/** The index and the archives that it offers. */
export function resourcesOf(
  archives: Readonly<Record<string, Buffer>>,
  digests?: Readonly<Record<string, string>>,
): Resources {
  const blobs = Object.entries(archives).map(([name, bytes]) => [`skill://${name}.tar.gz`, bytes] as const)
  return { 'skill://index.json': indexOf(archives, digests), ...Object.fromEntries(blobs) }
}

/** One skill in several formats. */
export function skillIn(name: string, archives: Readonly<Partial<Record<ArchiveFormat, Buffer>>>): Resources {
  const offers = Object.entries(archives).map(([format, bytes]) => ({
    bytes,
    url: `skill://${name}.${format}`,
    mimeType: format === 'zip' ? archiveMediaTypes.zip : archiveMediaTypes['tar.gz'],
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  }))
  const listed = offers.map(({ url, mimeType, digest }) => ({ url, mimeType, digest }))
  const index = { skills: [{ frontmatter: { name, description: 'For a test.' }, archives: listed }] }
  const blobs = Object.fromEntries(offers.map(({ url, bytes }) => [url, bytes]))
  return { 'skill://index.json': JSON.stringify(index), ...blobs }
}
