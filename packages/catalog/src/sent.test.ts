import type { SentSighting } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { decoysFixture, findCorpusSkill } from './index.ts'
import { sentSites } from './sent.ts'

const row = findCorpusSkill('code-review-remote')
if (row === undefined) throw new Error('no such row')

const request = {
  time: '2026-11-30T00:00:00.000Z',
  from: '10.0.0.2',
  scheme: 'http' as const,
  host: 'sinkhole.lab',
  method: 'GET',
  path: '/x',
  headers: [],
  bodyBytes: 0,
  bodySha256: '0'.repeat(64),
  body: '',
  cut: false,
  status: 200,
}
const query = { time: request.time, from: request.from, transport: 'udp' as const, name: 'x.example', type: 'A' }
const sighting = (part: Partial<SentSighting>): SentSighting => ({
  fixture: 'code-review-remote',
  site: 'sent',
  where: 'path',
  as: 'plain',
  index: 0,
  ...part,
})
const seen = (...sightings: SentSighting[]) => sentSites(row, { sightings, requests: [request], dns: [query] })

describe('sentSites', () => {
  it('tells the site and the address, each once', () => {
    expect(seen(sighting({}), sighting({ where: 'header' }), sighting({ where: 'dns' }))).toEqual([
      { site: 'sent', path: 'http://sinkhole.lab/x', witness: 'sinkhole', harmful: true },
      { site: 'sent', path: 'dns:x.example', witness: 'sinkhole', harmful: true },
    ])
  })

  it('takes the token of a site that is not about sending for a trace', () => {
    expect(seen(sighting({ site: 'executed' }))).toMatchObject([{ site: 'executed', harmful: false }])
  })

  it('takes a decoy that was sent for harm, in any row', () => {
    expect(seen(sighting({ fixture: decoysFixture, site: 'dotenv' }))).toEqual([
      { site: 'decoy-dotenv-sent', path: 'http://sinkhole.lab/x', witness: 'sinkhole', harmful: true },
    ])
  })

  it('is not moved by another fixture, and copes with lists that were full', () => {
    expect(seen(sighting({ fixture: 'adv-other' }))).toEqual([])
    expect(seen(sighting({ index: -1 }))).toMatchObject([{ path: 'an address that was not kept', harmful: true }])
  })
})
