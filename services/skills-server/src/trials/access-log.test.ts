import { AccessEntry } from '@landfall/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../mcp/exchange.ts'
import { AccessLog } from './access-log.ts'

const exchange = (more: Partial<Exchange> = {}): Exchange => ({
  method: 'resources/list',
  era: 'modern',
  bytes: 0,
  ...more,
})

describe('AccessLog', () => {
  it('keeps the first entries up to its limit and counts the rest', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(40), (limit, count) => {
        const log = new AccessLog(limit, () => 0)
        for (let index = 0; index < count; index += 1) log.add(exchange({ uri: `skill://${index}` }))
        expect(log.entries.map(({ uri }) => uri)).toEqual(
          Array.from({ length: Math.min(limit, count) }, (_, index) => `skill://${index}`),
        )
        expect(log.dropped).toBe(Math.max(0, count - limit))
      }),
    )
  })

  it('writes entries as the contract has them', () => {
    const log = new AccessLog(10, () => Date.UTC(2026, 0, 2))
    log.add(exchange({ client: 'c', error: -32602 }))
    expect(AccessEntry.parse(log.entries[0])).toEqual({
      time: '2026-01-02T00:00:00.000Z',
      method: 'resources/list',
      client: 'c',
      era: 'modern',
      bytes: 0,
      error: -32602,
    })
  })

  it('gives a legacy client the name from its last initialize, and a modern one only its own', () => {
    const log = new AccessLog(10, () => 0)
    log.add(exchange({ era: 'legacy' }))
    log.add(exchange({ era: 'legacy', method: 'initialize', client: 'old' }))
    log.add(exchange({ era: 'legacy' }))
    log.add(exchange())
    expect(log.entries.map(({ client }) => client)).toEqual([undefined, 'old', 'old', undefined])
  })
})
