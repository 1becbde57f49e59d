import { describe, expect, it } from 'vitest'
import { addCounts, closingLine, countVitest, noTests } from './test-count.ts'

const report = (changes = {}) => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
  ...changes,
})

describe('countVitest', () => {
  it('counts what passed, failed and was skipped', () => {
    const counts = countVitest(report({ numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 }), 1)
    expect(counts).toEqual({ passed: 3, failed: 1, skipped: 3 })
  })

  it('counts a file that could not be loaded', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }]
    expect(countVitest(report({ testResults }), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  })

  it('does not count a file’s failed test twice', () => {
    const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }] }]
    expect(countVitest(report({ numFailedTests: 1, testResults }), 1).failed).toBe(1)
  })

  it('believes an exit code that no test explains', () => {
    expect(countVitest(report(), 1).failed).toBe(1)
  })

  it('fails when nothing ran', () => {
    expect(countVitest(report({ numPassedTests: 0, testResults: [] }), 0)).toEqual(noTests)
    expect(countVitest(report({ numPassedTests: 0, numPendingTests: 4 }), 0)).toMatchObject({ failed: 1, skipped: 4 })
  })
})

describe('closingLine', () => {
  it('names skipped tests only when there are any', () => {
    const sum = addCounts({ passed: 1, failed: 0, skipped: 0 }, { passed: 2, failed: 1, skipped: 0 })
    expect(closingLine(sum)).toBe('3 passed, 1 failed')
    expect(closingLine({ ...sum, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
  })
})
