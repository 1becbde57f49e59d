import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findVictim, hasVariable } from './find-victim.ts'
import { Tree } from './testing/tree.ts'

describe('hasVariable', () => {
  it.each([
    ['A=1\0LANDFALL_TRIAL=t1\0B=2\0', true],
    ['LANDFALL_TRIAL=t1', true],
    ['LANDFALL_TRIAL=t10\0', false],
    ['LANDFALL_TRIAL=t\0', false],
    ['XLANDFALL_TRIAL=t1\0', false],
    ['A=LANDFALL_TRIAL=t1\0', false],
    ['A=1\nLANDFALL_TRIAL=t1\0', false],
    ['', false],
  ])('%j: %s', (block, expected) => {
    expect(hasVariable(Buffer.from(block), 'LANDFALL_TRIAL', 't1')).toBe(expected)
  })

  it('finds a variable among any others', () => {
    const other = fc.string({ minLength: 1 }).filter((text) => !text.includes('\0') && text !== 'M=x')
    fc.assert(
      fc.property(fc.array(other), fc.array(other), (before, after) => {
        const block = (list: string[]): Buffer => Buffer.from(list.map((text) => `${text}\0`).join(''))
        expect(hasVariable(block([...before, 'M=x', ...after]), 'M', 'x')).toBe(true)
        expect(hasVariable(block([...before, ...after]), 'M', 'x')).toBe(false)
      }),
    )
  })
})

describe('findVictim', () => {
  it('takes marked processes, lowest number first, and never itself', () => {
    using proc = new Tree()
    for (const pid of ['90', '8', String(process.pid)]) proc.write(`${pid}/environ`, 'LANDFALL_TRIAL=t1\0')
    proc.write('7/environ', 'LANDFALL_TRIAL=t2\0')
    proc.write('self/environ', 'LANDFALL_TRIAL=t1\0')
    proc.write('9/other')
    expect(findVictim('t1', proc.root)).toEqual([8, 90])
  })
})
