import { describe, expect, it } from 'vitest'
import { quickBundle } from './quick-bundle.ts'

describe('quickBundle', () => {
  it.each([
    [
      ['bundle', 'dir'],
      ['dir', {}],
    ],
    [
      ['bundle', '--json', 'dir'],
      ['dir', { json: true }],
    ],
    [
      ['bundle', 'dir', '--against', 'file', '--json'],
      ['dir', { json: true, against: 'file' }],
    ],
    [
      ['bundle', '--against=file', '--', '--dir'],
      ['--dir', { against: 'file' }],
    ],
  ])('reads %j', (argv, expected) => {
    expect(quickBundle(argv)).toEqual(expected)
  })

  it.each([
    [[]],
    [['run', 'dir']],
    [['bundle']],
    [['bundle', '--help']],
    [['bundle', 'dir', 'another']],
    [['bundle', 'dir', '--jsno']],
    [['bundle', 'dir', '--against']],
    [['bundle', 'dir', '--json=1']],
    [['help', 'bundle']],
  ])('leaves %j to the command line', (argv) => {
    expect(quickBundle(argv)).toBeUndefined()
  })
})
