import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCommandLine, parseIo, parseStat, parseStatus } from './proc-text.ts'

const rest =
  'S 41 42 42 0 -1 4194560 119 7 0 0 3 4 50 60 20 0 1 0 8812 2510848 224 18446744073709551615 1 2 140722 0 0 0'

describe('stat', () => {
  it('takes the numbers of any process, whatever it calls itself', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 15 }), (name) => {
        expect(parseStat(`42 (${name}) ${rest}\n`)).toEqual({
          name,
          state: 'S',
          ppid: 41,
          ownTicks: 7,
          childTicks: 110,
          started: '8812',
          stack: '140722',
        })
      }),
      { examples: [[') R 1 1'], ['\n'], ['(('], ['']] },
    )
  })

  it('takes no half of one', () => {
    const whole = `42 (sh) ${rest}`
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.lastIndexOf('140722') }), (length) => {
        expect(parseStat(whole.slice(0, length))).toBeUndefined()
      }),
    )
  })
})

describe('status', () => {
  it('takes the effective user and both sizes', () => {
    const text =
      'Name:\tsh\\nUid:\t0\t0\t0\t0\nUid:\t1000\t1001\t1000\t1000\nVmHWM:\t    1024 kB\nVmRSS:\t     512 kB\n'
    expect(parseStatus(text)).toEqual({ uid: 1001, peakBytes: 1024 * 1024, residentBytes: 512 * 1024 })
  })

  it('of a zombie has no sizes, and of a process that went away there is none', () => {
    expect(parseStatus('Name:\tsh\nUid:\t1000\t1000\t1000\t1000\n')).toEqual({
      uid: 1000,
      peakBytes: 0,
      residentBytes: 0,
    })
    expect(parseStatus('')).toBeUndefined()
  })
})

describe('io', () => {
  it('takes what was written, and holds what is too large at the border', () => {
    expect(parseIo('rchar: 1\nwchar: 20\nread_bytes: 3\nwrite_bytes: 99999999999999999999\n')).toEqual({
      writtenBytes: 20,
      diskBytes: Number.MAX_SAFE_INTEGER,
    })
    expect(parseIo('rchar: 1\n')).toBeUndefined()
  })
})

it('a command line keeps empty arguments', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string().filter((text) => !text.includes('\0')),
        { minLength: 1 },
      ),
      (argv) => {
        expect(parseCommandLine(argv.map((argument) => `${argument}\0`).join(''))).toEqual(argv)
      },
    ),
  )
  expect(parseCommandLine('')).toEqual([])
})
