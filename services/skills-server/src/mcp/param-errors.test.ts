import { describe, expect, it } from 'vitest'
import { legacyRequest, modernRequest } from '../testing/requests.ts'
import { startTestService } from '../testing/service.ts'
import { blameCaller } from './param-errors.ts'

const failed = (code: number, message: string) => ({ jsonrpc: '2.0' as const, id: 1, error: { code, message } })

describe('blameCaller', () => {
  it.each([
    failed(-32603, 'Internal error'),
    failed(-32603, '[not JSON'),
    failed(-32603, '[]'),
    failed(-32603, '[{"path":["result"]}]'),
    failed(-32602, '[{"path":["params","uri"]}]'),
    { jsonrpc: '2.0' as const, id: 1, result: {} },
  ])('leaves %j alone', (message) => {
    expect(blameCaller(message)).toBe(message)
  })

  it('turns issues with params into an error of the caller', () => {
    const message = failed(-32603, JSON.stringify([{ path: ['params', 'uri'], code: 'invalid_type' }]))
    expect(blameCaller(message)).toEqual(failed(-32602, 'Invalid params: params.uri'))
  })
})

describe.each([
  ['modern', modernRequest],
  ['legacy', legacyRequest],
] as const)('%s', (_era, request) => {
  it.each([
    ['resources/read', {}],
    ['resources/list', { cursor: 3 }],
    ['resources/directory/read', { uri: 1 }],
    ['skills/list', { cursor: {} }],
    ['skills/get', {}],
    ['prompts/get', {}],
    ['tools/call', {}],
  ])('answers %s of %j with -32602', async (method, params) => {
    await using service = await startTestService()
    const response = await fetch(`${service.mcpUrl}/mcp`, request(method, params))
    expect(await response.text()).toContain('"code":-32602')
  })
})
