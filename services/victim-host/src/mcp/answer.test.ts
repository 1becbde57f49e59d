import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { failureOf, NoAnswer, ServerFault, TooLarge } from './answer.ts'

const http = (status: number, text: string) =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `Error POSTing to endpoint: ${text}`, { status, text })
const rpc = (id: unknown, code: number) => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'no' } })

describe('failureOf', () => {
  it.each([
    ['a resource that is not there', new ProtocolError(-32_602, 'unknown resource')],
    ['a method that is not there', new ProtocolError(-32_601, 'unknown method')],
    ['the same in the modern era', http(404, rpc(7, -32_601))],
    ['a result of another shape', new SdkError(SdkErrorCode.InvalidResult, 'not an object')],
    ['more than fits into memory', new TooLarge('an answer of more than 64 MiB')],
  ])('takes %s as the word of the server', (_what, cause) => {
    const failure = failureOf('resources/read', cause)
    expect(failure).toBeInstanceOf(ServerFault)
    expect(failure.message).toBe(`resources/read failed: ${cause.message}`)
    expect(failure.cause).toBe(cause)
  })

  it.each([
    ['an internal error', new ProtocolError(-32_603, 'too many large answers are waiting')],
    ['an endpoint that is gone', http(404, rpc(null, -32_601))],
    ["a proxy's page that says 404", http(404, '<h1>404 page not found</h1>')],
    ['a service that is down and mentions 404', http(503, 'no 404 here')],
    ['too many requests', http(429, rpc(null, -32_603))],
    ['an unknown method with the wrong status', http(500, rpc(7, -32_601))],
    ['no content that anybody knows', new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, 'text/html')],
    ['a time limit', new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out')],
    ['a connection that was closed', new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed')],
    ['a connection that was reset', new TypeError('fetch failed', { cause: new Error('ECONNRESET') })],
    ['half an answer', new SyntaxError('Unexpected end of JSON input')],
  ])('takes %s as no answer', (_what, cause) => {
    expect(failureOf('resources/read', cause)).toBeInstanceOf(NoAnswer)
  })
})
