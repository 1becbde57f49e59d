import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { clientAddress } from './client-address.ts'

function requestWith(forwarded: string | undefined): IncomingMessage {
  const peer = Object.defineProperty(new Socket(), 'remoteAddress', { value: '10.0.0.1' })
  const request = new IncomingMessage(peer)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return request
}

describe('clientAddress', () => {
  it.each([
    [undefined, 0, '10.0.0.1'],
    ['192.0.2.1', 0, '10.0.0.1'],
    [undefined, 1, '10.0.0.1'],
    ['192.0.2.1', 1, '192.0.2.1'],
    ['192.0.2.9, 192.0.2.1', 1, '192.0.2.1'],
    ['192.0.2.9,192.0.2.1', 2, '192.0.2.9'],
    ['192.0.2.1', 3, '192.0.2.1'],
    [' , ', 1, '10.0.0.1'],
  ])('of %s behind %i proxies is %s', (forwarded, proxies, address) => {
    expect(clientAddress(requestWith(forwarded), proxies)).toBe(address)
  })
})
