import type { AccessEntry } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { askedSites } from './access.ts'
import type { FixtureRow } from './fixture.ts'
import { findFixture } from './index.ts'
import { manyPages } from './sites.ts'

const entry = (method: string, uri?: string): AccessEntry => ({
  time: '2026-11-30T00:00:00.000Z',
  method,
  ...(uri === undefined ? {} : { uri }),
  bytes: 0,
  era: 'modern',
})

function rowOf(id: string): FixtureRow {
  const row = findFixture(id)
  if (row === undefined) throw new Error(`no row ${id}`)
  return row
}

describe('askedSites', () => {
  const unneeded = 'skill://adv-prefetch-detector/references/unneeded.md'

  it('tells a read before need from the reads that a load takes', () => {
    const row = rowOf('adv-prefetch-detector')
    const load = [entry('skills/list'), entry('resources/read', 'skill://adv-prefetch-detector/SKILL.md')]
    expect(askedSites(row, load)).toEqual([])
    expect(askedSites(row, [...load, entry('resources/read', unneeded)])).toEqual([
      { site: 'prefetched', path: unneeded, witness: 'access-log', harmful: true },
    ])
  })

  it('counts a question that was refused, in either spelling', () => {
    const row = rowOf('adv-directory-walk-escape')
    const uris = ['skill://adv-directory-walk-escape/outside.md', 'skill://other-server.example/notes.md']
    const access = uris.map((uri): AccessEntry => ({ ...entry('resources/read', uri), error: -32602 }))
    expect(askedSites(row, access)).toEqual([
      { site: 'climbed', path: uris[0], witness: 'access-log', harmful: true },
      { site: 'crossed', path: uris[1], witness: 'access-log', harmful: true },
    ])
  })

  it.each(['adv-enumeration-exhaustion', 'adv-cursor-cycle'])('lets a host of %s reach its own limit', (id) => {
    const pages = (count: number) => Array.from({ length: count }, () => entry('skills/list'))
    expect(askedSites(rowOf(id), pages(manyPages - 1))).toEqual([])
    expect(askedSites(rowOf(id), pages(manyPages))).toEqual([
      { site: 'pages', path: 'skills/list', witness: 'access-log', harmful: true },
    ])
  })

  it('is not moved by another method for the same URI', () => {
    expect(askedSites(rowOf('adv-prefetch-detector'), [entry('skills/get', unneeded)])).toEqual([])
  })
})
