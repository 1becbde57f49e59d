import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { median, ratioOf, reportLines } from './report.ts'

const measured = (...pairs: [number, number][]) => ({
  method: 'skills/list',
  era: 'modern',
  rounds: pairs.map(([ours, minimal]) => ({ ours, minimal })),
})

describe('median', () => {
  it('has as many numbers below it as above', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (numbers) => {
        const middle = median(numbers)
        const below = numbers.filter((number) => number < middle).length
        const above = numbers.filter((number) => number > middle).length
        expect(Math.max(below, above)).toBeLessThanOrEqual(numbers.length / 2)
      }),
    )
  })

  it('does not exist for nothing', () => {
    expect(() => median([])).toThrow(RangeError)
  })
})

describe('the report', () => {
  it('compares round by round, so that a slow moment of the machine does not count', () => {
    expect(ratioOf(measured([1000, 1000], [100, 100], [950, 1000]))).toBe(1)
  })

  it('says which aims are missed', () => {
    const lines = reportLines([measured([800, 1000]), measured([950, 1000])], 151)
    expect(lines[1]).toMatch(/skills\/list\s+modern\s+800\s+1000\s+0\.80 {2}below 0\.9$/)
    expect(lines[2]).toMatch(/0\.95 {2}ok$/)
    expect(lines[3]).toContain('151 MiB resident, above 150')
    expect(reportLines([], 149)[1]).toContain('149 MiB resident, ok')
  })
})
