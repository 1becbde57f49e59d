import { describe, expect, it } from 'vitest'
import { describeCrossCheck } from './cross-check.ts'

describe('describeCrossCheck', () => {
  it('adds up the trials that were checked, and names those that disagree', () => {
    const trials = [
      { id: 'a', crossCheck: { compared: 10, disagreements: 0 } },
      { id: 'b' },
      { id: 'c', crossCheck: { compared: 5, disagreements: 2 } },
    ]
    expect(describeCrossCheck(trials)).toBe(
      'cross-check of W1 and the engine: 2 trials, 15 entries compared, 2 disagreements (c)',
    )
  })

  it('says nothing of a run without a cross-check', () => {
    expect(describeCrossCheck([{ id: 'a' }])).toBeUndefined()
  })
})
