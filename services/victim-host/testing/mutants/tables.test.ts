import { describe, expect, it } from 'vitest'
import { allRules } from '../../src/reference/all-rules.ts'
import { reasons } from './reasons.ts'
import type { CellResult } from './sweep.ts'
import { renderTables } from './tables.ts'

/** A sweep in which every rule is noticed that has no reason, by one fixture that each of them lets land. */
const noticed = allRules.map(({ id }) => id).filter((id) => reasons[id] === undefined)
const clean: CellResult = {
  fixture: 'adv-sample',
  revision: 'index',
  full: [],
  single: noticed,
  together: [],
  noticed,
}

describe('renderTables', () => {
  it('is content with a sweep in which everything is explained', () => {
    const { text, unexplained } = renderTables([clean], true)
    expect(unexplained).toBe(false)
    for (const [rule, reason] of Object.entries(reasons)) expect(text).toContain(`${rule}: ${reason}`)
  })

  it.each<[string, Partial<CellResult>, RegExp]>([
    ['something lands on the full host', { full: ['escape'] }, /adv-sample \(index\): escape/],
    ['nothing lets a fixture land', { single: [] }, /adv-sample \(index\): NO SET FOUND/],
    [
      'a rule is noticed by nothing and has no reason',
      { single: noticed.slice(1), noticed: noticed.slice(1) },
      new RegExp(`${noticed[0]}: NOT EXPLAINED`),
    ],
    [
      'a rule is noticed that is said not to be',
      { noticed: [...noticed, ...Object.keys(reasons).slice(0, 1)] },
      new RegExp(`${Object.keys(reasons)[0]} has a reason, but is noticed now`),
    ],
  ])('is not when %s', (_what, change, said) => {
    const { text, unexplained } = renderTables([{ ...clean, ...change }], true)
    expect(text).toMatch(said)
    expect(unexplained).toBe(true)
  })

  it('names the sets of defence in depth', () => {
    const deep: CellResult = { ...clean, fixture: 'adv-deep', single: [], together: ['H16', 'H16-size'] }
    const { text, unexplained } = renderTables([clean, deep], true)
    expect(text).toContain('adv-deep (index): H16 + H16-size')
    expect(unexplained).toBe(false)
  })
})
