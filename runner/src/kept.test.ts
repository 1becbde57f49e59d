import { victimLayout } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { keptDirectories, namedDirectories, withoutScratch } from './kept.ts'
import { sampleObservation } from './testing/samples.ts'

const keeps = ['{home}/.host/*/*/files']
const of = (...paths: string[]) =>
  keptDirectories(
    { keeps, scratch: ['/tmp/host-*-x'] },
    '/home/agent',
    paths.map((path) => ({ path })),
  )

describe('keptDirectories', () => {
  it('finds each directory of a pattern that something lies in, once', () => {
    expect(
      of(
        '/home/agent/.host/lab/a1/files/SKILL.md',
        '/home/agent/.host/lab/a1/files',
        '/home/agent/.host/lab/b2/files/x/y',
        '/tmp/host-1-x/SKILL.md',
      ),
    ).toEqual(['/home/agent/.host/lab/a1/files', '/home/agent/.host/lab/b2/files', '/tmp/host-1-x'])
  })

  it('takes nothing beside it, above it, or of another home', () => {
    expect(
      of(
        '/home/agent/.host/lab/a1/other',
        '/home/agent/.host/lab/files',
        '/root/.host/lab/a1/files/x',
        '/home/agent/.host/a/b/c/files',
        '/tmp/host-x',
        '/tmp/host-1-y',
        '/tmp/other/host-1-x',
      ),
    ).toEqual([])
  })
})

describe('namedDirectories', () => {
  const layout = victimLayout('agent')

  it('are where the lab tells a host to install', () => {
    expect(namedDirectories({}, layout, ['a', 'b'])).toEqual([`${layout.skills}/a`, `${layout.skills}/b`])
  })

  it("are a host's own places, if it has any", () => {
    const places = ['{home}/.claude/skills/{skill}', '{home}/.cache/{skill}/{skill}']
    expect(namedDirectories({ places }, layout, ['a'])).toEqual([
      '/home/agent/.claude/skills/a',
      '/home/agent/.cache/a/a',
    ])
  })
})

describe('withoutScratch', () => {
  const sighting = (path: string) => ({ fixture: 'f', site: 's', path, place: 'content' as const })
  const seen = {
    ...sampleObservation,
    live: {
      ...sampleObservation.live,
      transientSightings: [sighting('/tmp/host-1/SKILL.md'), sighting('/tmp/elsewhere')],
      transientCopies: [{ decoy: 'ssh-key', path: '/tmp/host-1/key' }],
    },
  }

  it('forgets what passed there, and nothing else', () => {
    const { live } = withoutScratch(seen, { scratch: ['/tmp/host-*'] }, '/home/agent')
    expect(live.transientSightings).toEqual([sighting('/tmp/elsewhere')])
    expect(live.transientCopies).toEqual([])
  })

  it('changes nothing for a host without one', () => {
    expect(withoutScratch(seen, {}, '/home/agent')).toBe(seen)
  })
})
