import { describe, expect, it } from 'vitest'
import { parseOsRelease } from './os-release.ts'

describe('parseOsRelease', () => {
  it('reads Debian', () => {
    const text =
      'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_CODENAME=bookworm\nID=debian\n'
    expect(parseOsRelease(text)).toEqual({
      id: 'debian',
      like: [],
      codename: 'bookworm',
      prettyName: 'Debian GNU/Linux 12 (bookworm)',
    })
  })

  it('reads a derivative', () => {
    const os = parseOsRelease('NAME=\'Pop!_OS\'\nID=pop\nID_LIKE="ubuntu debian"\nVERSION_CODENAME=noble\n')
    expect(os).toMatchObject({ id: 'pop', like: ['ubuntu', 'debian'], codename: 'noble', prettyName: 'pop' })
  })

  it('undoes escapes inside quotes', () => {
    expect(parseOsRelease('PRETTY_NAME="A \\"B\\" \\$C"').prettyName).toBe('A "B" $C')
  })

  it('survives comments, blank lines and nothing at all', () => {
    expect(parseOsRelease('# ID=no\n\n')).toMatchObject({ id: 'linux', codename: '' })
  })
})
