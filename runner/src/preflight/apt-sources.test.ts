import { describe, expect, it } from 'vitest'
import { pinForSuite, sourcesForSuite } from './apt-sources.ts'

const deb822 = `Types: deb
# http://archive.example/
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/archive.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
`

const wanted = `Types: deb
URIs: http://mirror.example/debian
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/archive.gpg
`

describe('sourcesForSuite', () => {
  it('takes address and key of the stanza that has the machine’s own suite', () => {
    expect(sourcesForSuite([deb822], 'bookworm', 'trixie')).toBe(wanted)
  })

  it('reads one-line sources too', () => {
    const text = [
      '# deb http://old.example/debian bookworm main',
      'deb-src http://mirror.example/debian bookworm main',
      'deb http://mirror.example/debian-security bookworm-security main',
      'deb [arch=amd64 signed-by=/usr/share/keyrings/archive.gpg] http://mirror.example/debian bookworm main contrib',
    ].join('\n')
    expect(sourcesForSuite([text], 'bookworm', 'trixie')).toBe(wanted)
  })

  it('keeps a key that stands in the file itself', () => {
    const text = 'Types: deb\nURIs: http://m.example/\nSuites: bookworm\nSigned-By:\n -----BEGIN KEY-----\n .\n abc\n'
    expect(sourcesForSuite([text], 'bookworm', 'trixie')).toContain('Signed-By: \n -----BEGIN KEY-----\n .\n abc\n')
  })

  it('passes over sources that are switched off or for source packages only', () => {
    const off = 'Enabled: no\nTypes: deb\nURIs: http://off.example/\nSuites: bookworm\n'
    const source = 'Types: deb-src\nURIs: http://src.example/\nSuites: bookworm\n'
    expect(sourcesForSuite([off, source, deb822], 'bookworm', 'trixie')).toBe(wanted)
  })

  it('finds none where the suite is not known', () => {
    expect(sourcesForSuite([deb822], 'bullseye', 'trixie')).toBeUndefined()
    expect(sourcesForSuite([], 'bookworm', 'trixie')).toBeUndefined()
  })
})

describe('pinForSuite', () => {
  it('keeps every package where it is', () => {
    expect(pinForSuite('trixie')).toBe('Package: *\nPin: release n=trixie\nPin-Priority: 100\n')
  })
})
