import { describe, expect, it } from 'vitest'
import { readCommandLine } from './command-line.ts'

describe('readCommandLine', () => {
  it('serves over HTTP and chooses nothing by default', () => {
    expect(readCommandLine([])).toEqual({ transport: 'http' })
    expect(readCommandLine(['--http'])).toEqual({ transport: 'http' })
  })

  it('takes every choice', () => {
    expect(readCommandLine(['--stdio', '--profile', 'all', '--revision', 'index', '--fixture', 'a,b'])).toEqual({
      transport: 'stdio',
      profile: 'all',
      revision: 'index',
      fixture: ['a', 'b'],
    })
    expect(readCommandLine(['--adversarial'])).toMatchObject({ profile: 'adversarial' })
  })

  it.each([
    [['--stdio', '--http'], /--http/],
    [['--adversarial', '--profile', 'corpus'], /--adversarial/],
    [['--profile', 'hostile'], /corpus, adversarial, all/],
    [['--revision', 'draft'], /index, stable, both/],
    [['--nonsense'], /--nonsense/],
    [['more'], /argument/],
  ])('refuses %j', (argv, message) => {
    expect(() => readCommandLine(argv)).toThrow(expect.objectContaining({ code: 'usage', data: {} }))
    expect(() => readCommandLine(argv)).toThrow(message)
  })

  it('gives the help that was asked for as no error', () => {
    expect(() => readCommandLine(['--help'])).toThrow(expect.objectContaining({ data: { help: true } }))
    expect(() => readCommandLine(['--help'])).toThrow(/--adversarial/)
  })
})
