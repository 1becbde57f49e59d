import { Slug } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { fixtures } from './index.ts'

/** What every row promises to the judge and to people, whatever the fixture is about. */
const clauseId = /^(?:i?[SH]\d+(?:\.\d)?|T\d)$/

describe('the rows of the fixtures', () => {
  it('have the keys of the fact sheet, table D1', () => {
    const ids = fixtures.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(keysOfTableD1))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(fixtures)('$id can be judged', ({ id, sites, clauses, channels, oracle, action }) => {
    const names = sites.map((site) => site.id)
    expect([id, ...names].filter((name) => !Slug.safeParse(name).success)).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    expect(sites.filter(({ detect, asked }) => (detect === 'asked') !== (asked !== undefined))).toEqual([])
    expect(sites.some(({ effect }) => effect === 'harm')).toBe(true)
    expect(sites.filter(({ meaning }) => meaning.endsWith('.'))).toEqual([])
    expect(oracle).toMatch(/\.$/)
    expect(Object.keys(clauses).length === 0).toBe(action === 'accept')
    expect(Object.values(clauses).flatMap(({ ids }) => ids.filter((each) => !clauseId.test(each)))).toEqual([])
    // A trial over MCP needs to know what the fixture breaks in that revision; the benign one breaks nothing in any.
    expect(channels.includes('mcp-stable')).toBe(clauses.stable !== undefined || action === 'accept')
  })
})

const keysOfTableD1 = [
  'adv-archive-traversal',
  'adv-zip-traversal',
  'adv-archive-windows-paths',
  'adv-archive-symlink-escape',
  'adv-archive-hardlink-escape',
  'adv-zip-symlink-escape',
  'adv-decompression-bomb',
  'adv-cumulative-budget',
  'adv-archive-setuid',
  'adv-archive-non-regular',
  'adv-archive-normalization-collision',
  'adv-live-read-divergence',
  'refunds',
  'adv-frontmatter-mismatch',
  'adv-supporting-file-digest-swap',
  'adv-content-rotation',
  'adv-allowed-tools-grant',
  'adv-cross-server-read',
  'adv-file-url-triple-slash',
  'adv-file-url-no-authority',
  'adv-oversized-payload',
  'adv-walk-budget',
  'adv-nested-consent',
  'adv-directory-walk-escape',
  'adv-name-collision',
  'adv-enumeration-exhaustion',
]
