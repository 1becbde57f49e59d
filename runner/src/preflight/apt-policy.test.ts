import { describe, expect, it } from 'vitest'
import { majorOf, parseAptPolicy, parseSimulatedChanges } from './apt-policy.ts'

const policy = `docker-compose:
  Installed: (none)
  Candidate: 1.29.2-3
  Version table:
     2.26.1-4 100
        100 mirror trixie/main amd64 Packages
     1.29.2-3 500
        500 mirror bookworm/main amd64 Packages
docker-cli:
  Installed: 26.1.5+dfsg1-9
  Candidate: 26.1.5+dfsg1-9
  Version table:
 *** 26.1.5+dfsg1-9 100
docker-compose-v2:
  Installed: (none)
  Candidate: (none)
  Version table:
`

describe('parseAptPolicy', () => {
  const policies = parseAptPolicy(policy)

  it('tells candidates from installed versions', () => {
    expect(policies.get('docker-compose')).toEqual({ installed: undefined, candidate: '1.29.2-3' })
    expect(policies.get('docker-cli')).toEqual({ installed: '26.1.5+dfsg1-9', candidate: '26.1.5+dfsg1-9' })
  })

  it('knows no candidate for a name that is only mentioned', () => {
    expect(policies.get('docker-compose-v2')?.candidate).toBeUndefined()
  })

  it('has nothing for a name that apt does not know', () => {
    expect(policies.has('docker-buildx')).toBe(false)
    expect(parseAptPolicy('').size).toBe(0)
  })
})

describe('majorOf', () => {
  it('skips the epoch', () => {
    expect(majorOf('2.26.1-4')).toBe(2)
    expect(majorOf('1:29.0.1-1')).toBe(29)
  })
})

describe('parseSimulatedChanges', () => {
  it('lists what would be replaced or removed, not what would be added', () => {
    const text = [
      'Inst docker-compose (2.26.1-4 Debian:13/stable [amd64])',
      'Inst docker.io [20.10.24] (26.1.5 Debian:13/stable [amd64])',
      'Remv docker-ce [28.0.0]',
      'Conf docker-compose (2.26.1-4 Debian:13/stable [amd64])',
    ].join('\n')
    expect(parseSimulatedChanges(text)).toEqual(['docker.io', 'docker-ce'])
  })
})
