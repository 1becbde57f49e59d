import { describe, expect, it } from 'vitest'
import { ownServer } from '../own-server.ts'
import { type CellResult, cells, sweepCell } from './sweep.ts'
import { renderTables } from './tables.ts'
import { tryOnce } from './try-once.ts'

/**
 * The whole sweep of `npm run mutants`: every fixture in every revision against the full reference host and every mutant
 * of it that can make a difference. What a table leaves unexplained is a defect of the lab.
 */
const server = ownServer()

describe('the reference host', () => {
  it.each(cells.filter(({ fixture }) => fixture.action === 'accept'))(
    'installs the honest skill in the $revision revision',
    async (cell) => {
      const { harm, visited } = await tryOnce(server(), cell, [])
      expect(harm).toEqual([])
      expect(visited.skills.map(({ outcome }) => outcome)).toEqual(['used'])
    },
    120_000,
  )
})

describe('the sweep', () => {
  const results: CellResult[] = []

  it.each(cells)(
    'lets nothing of $fixture.id ($revision) land on the full host, and something on a mutant',
    async (cell) => {
      const result = await sweepCell(server(), cell)
      results.push(result)
      expect(result.full).toEqual([])
      const landing = [...result.single, ...result.together]
      expect(landing.length > 0).toBe(cell.fixture.action !== 'accept')
    },
    300_000,
  )

  it('has tables in which everything is explained', () => {
    expect(results).toHaveLength(cells.length)
    const { text, unexplained } = renderTables(results, true)
    expect({ text, unexplained }).toMatchObject({ unexplained: false })
  })
})
