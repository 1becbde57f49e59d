import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayHaveMissed, tickUs } from './late.ts'

const time = fc.integer({ min: 0, max: 2 ** 50 })

describe('mayHaveMissed', () => {
  it('is sure of a directory that is as it was made', () => {
    fc.assert(
      fc.property(time, (bornUs) => {
        expect(mayHaveMissed({ bornUs, modifiedUs: bornUs, nearestUs: Infinity })).toBe(false)
      }),
    )
  })

  it('is sure of a change that something present explains, within a tick, and of no other', () => {
    fc.assert(
      fc.property(time, fc.integer({ min: 1, max: 2 ** 40 }), fc.nat(4 * tickUs), (bornUs, later, nearestUs) => {
        expect(mayHaveMissed({ bornUs, modifiedUs: bornUs + later, nearestUs })).toBe(nearestUs > tickUs)
      }),
    )
  })

  it('is not sure of an empty directory that changed, nor where births are not kept', () => {
    expect(mayHaveMissed({ bornUs: 1, modifiedUs: 2, nearestUs: Infinity })).toBe(true)
    expect(mayHaveMissed({ bornUs: undefined, modifiedUs: 2, nearestUs: Infinity })).toBe(true)
  })
})
