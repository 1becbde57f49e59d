import { describe, expect, it } from 'vitest'
import { serveAnswer, serveContents, serveResources, serveSilence } from '../../testing/mcp-server.ts'
import { readModern } from './read-modern.ts'
import { openReader } from './reader.ts'

const resources = { 'skill://index.json': '{"skills":[]}', 'skill://demo.zip': Buffer.from([0, 1, 2, 255]) }

describe('a reader', () => {
  it('reads text and bytes of a modern server, one request each and no handshake', async () => {
    await using server = await serveResources(resources)
    const reader = openReader(server.url)
    expect(await reader.read('skill://index.json')).toEqual({ text: '{"skills":[]}' })
    expect(await reader.read('skill://demo.zip')).toEqual({ blob: 'AAEC/w==' })
    expect(server.requests.map((headers) => headers['mcp-method'])).toEqual(['resources/read', 'resources/read'])
  })

  it('falls back to the SDK with a server of the legacy era, and stays there', async () => {
    await using server = await serveResources(resources, { modern: false })
    const reader = openReader(server.url)
    expect(await reader.read('skill://index.json')).toEqual({ text: '{"skills":[]}' })
    const before = server.requests.length
    expect(await reader.read('skill://demo.zip')).toEqual({ blob: 'AAEC/w==' })
    expect(server.requests.length).toBe(before + 1)
  })

  it('falls back to the SDK with a server that answers as a stream of events', async () => {
    await using server = await serveResources(resources, { sse: true })
    expect(await openReader(server.url).read('skill://demo.zip')).toEqual({ blob: 'AAEC/w==' })
  })

  it('names a resource that is not there, without asking twice', async () => {
    await using server = await serveResources(resources)
    await expect(openReader(server.url).read('skill://gone')).rejects.toMatchObject({
      code: 'service',
      message: expect.stringContaining('skill://gone') as string,
    })
    expect(server.requests).toHaveLength(1)
  })

  it('tells that nobody listens', async () => {
    const server = await serveAnswer(200, 'text/plain', '')
    await server[Symbol.asyncDispose]()
    await expect(openReader(server.url).read('skill://index.json')).rejects.toMatchObject({
      code: 'service',
      message: expect.stringContaining('ECONNREFUSED') as string,
    })
  })

  it.each([
    ['a page of HTML', 404, 'text/html', '<p>no</p>'],
    ['JSON that is no answer', 200, 'application/json', '[]'],
    ['no JSON at all', 200, 'application/json', 'oops'],
  ])('gives up on %s with one error', async (_what, status, type, body) => {
    await using server = await serveAnswer(status, type, body)
    await expect(openReader(server.url, 500).read('skill://index.json')).rejects.toMatchObject({ code: 'service' })
  })

  it('does not wait for a server that never answers', async () => {
    await using server = await serveSilence()
    await expect(openReader(server.url, 100).read('skill://index.json')).rejects.toThrow('gave no answer in 100 ms')
  })
})

describe('readModern', () => {
  it.each([
    ['no content', []],
    ['a content without a body', [{ uri: 'skill://a' }]],
    ['contents that are no list', 'x'],
  ])('refuses %s', async (_what, contents) => {
    await using server = await serveContents(contents)
    await expect(readModern(server.url, 'skill://a', 1_000)).rejects.toMatchObject({ code: 'service' })
  })

  it('sends any URI as a header that a server can read back', async () => {
    for (const uri of ['skill://ü.zip', ' skill://a', 'skill://a\r\nx: y', '=?base64?AAAA?=']) {
      await using server = await serveResources({ [uri]: 'found' })
      expect(await readModern(server.url, uri, 1_000)).toEqual({ text: 'found' })
    }
  })

  it('takes no answer that belongs to another request', async () => {
    const foreign = { jsonrpc: '2.0', id: -1, result: { contents: [{ text: 'x' }] } }
    await using server = await serveAnswer(200, 'application/json', JSON.stringify(foreign))
    await expect(readModern(server.url, 'skill://a', 1_000)).rejects.toThrow('not a JSON-RPC answer')
  })
})
