import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentBytes, describeRequest, errorCode } from './exchange.ts'

const request = (method: string, params?: Record<string, unknown>) =>
  describeRequest({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) })

describe('describeRequest', () => {
  it('finds the client of either era', () => {
    expect(request('initialize', { clientInfo: { name: 'old' } })).toEqual({ method: 'initialize', client: 'old' })
    const meta = { 'io.modelcontextprotocol/clientInfo': { name: 'new' } }
    expect(request('resources/read', { uri: 'skill://a', _meta: meta })).toEqual({
      method: 'resources/read',
      uri: 'skill://a',
      client: 'new',
    })
  })

  it('never fails on what a client may send, and keeps texts short', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 2000 }),
        fc.dictionary(fc.string(), fc.anything()),
        fc.anything(),
        (method, params, uri) => {
          const described = request(method, { ...params, uri, _meta: uri, clientInfo: uri })
          expect(described.method.length).toBeLessThanOrEqual(513)
          expect((described.uri ?? '').length).toBeLessThanOrEqual(513)
        },
      ),
    )
  })
})

describe('contentBytes', () => {
  it('counts bytes before base64', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (bytes, text) => {
        const contents = [
          { uri: 'a', blob: Buffer.from(bytes).toString('base64') },
          { uri: 'b', text },
        ]
        const answer = { jsonrpc: '2.0' as const, id: 1, result: { contents } }
        expect(contentBytes(answer)).toBe(bytes.length + Buffer.byteLength(text))
      }),
    )
  })

  it('is 0 for an error, whose code is told', () => {
    const answer = { jsonrpc: '2.0' as const, id: 1, error: { code: -32601, message: 'no' } }
    expect([contentBytes(answer), errorCode(answer)]).toEqual([0, -32601])
  })
})
