import { existsSync, readdirSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Revision } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { breakFrom } from '../../testing/breaking-proxy.ts'
import { ownServer } from '../../testing/own-server.ts'
import { registerTrial } from '../../testing/trial.ts'
import { Guard } from '../reference/rule.ts'
import { Session } from '../reference/session.ts'
import { pinningExit, visitTwice } from './command.ts'
import { openPinned, type PinnedSkill, type PinningHost, review } from './pinning.ts'
import { Places } from './places.ts'

/** The real server, whose fixtures here write nothing but plain files: no victim is around. */
const server = ownServer()

interface Line {
  readonly outcome: string
  readonly skills?: readonly PinnedSkill[]
}

/** Both visits below a home of their own, of which no agent uses anything. */
async function visited(url: URL, revision: Revision, home: string, limitMs?: number) {
  const lines: Line[] = []
  const host: PinningHost = {
    connect: async () => await Session.connect('lab', url, new Guard([], () => undefined), limitMs),
    revision,
    places: new Places(home),
  }
  const code = await visitTwice(host, (line) => void lines.push(line as Line))
  const skills = `${home}/.agents/skills`
  const installed = existsSync(skills) ? readdirSync(skills) : []
  return { code, lines, host, installed }
}

const temporary = async () => await mkdtempDisposable(join(tmpdir(), 'pinning-'))

describe('the host that pins bundles', { timeout: 30_000 }, () => {
  it.each(['index', 'stable'] as const)('opens a skill that stays the same (%s)', async (revision) => {
    await using home = await temporary()
    const { code, lines, installed } = await visited(
      await registerTrial(server(), 'control-benign', revision),
      revision,
      home.path,
    )
    expect([code, lines.length, installed]).toEqual([pinningExit.opened, 1, ['control-benign']])
    expect(lines[0]).toMatchObject({ outcome: 'opened', skills: [{ step: 'open', outcome: 'opened', files: 3 }] })
  })

  it.each([
    ['adv-content-rotation', 'index'],
    ['adv-content-rotation', 'stable'],
    ['adv-dynamic-persisted-approval', 'stable'],
  ] as const)('refuses %s (%s), which is another one the second time', async (fixture, revision) => {
    await using home = await temporary()
    const { code, lines, installed } = await visited(
      await registerTrial(server(), fixture, revision),
      revision,
      home.path,
    )
    expect([code, installed]).toEqual([pinningExit.refused, []])
    const [skill] = lines[0]?.skills ?? []
    expect(skill).toMatchObject({ step: 'open', outcome: 'refused', added: [], removed: [], changed: ['SKILL.md'] })
    expect(skill?.delivered).not.toBe(skill?.pinned)
  })

  // Over the index it comes as an archive.
  it.each(['index', 'stable'] as const)('opens what was bad from the first delivery on (%s)', async (revision) => {
    await using home = await temporary()
    const { code, installed } = await visited(
      await registerTrial(server(), 'license-checker', revision),
      revision,
      home.path,
    )
    expect([code, installed]).toEqual([pinningExit.opened, ['check-licenses']])
  })

  it('refuses at the review what no bundle can be, and delivers it no second time', async () => {
    await using home = await temporary()
    const { code, lines, installed } = await visited(
      await registerTrial(server(), 'adv-oversized-payload', 'stable'),
      'stable',
      home.path,
    )
    expect([code, installed]).toEqual([pinningExit.refused, []])
    expect(lines[0]?.skills).toMatchObject([{ step: 'review', outcome: 'refused', refusal: 'skill-md-size' }])
  })

  it('keeps its pins: a later delivery is held against the review of an earlier session', async () => {
    await using home = await temporary()
    const { host } = await visited(await registerTrial(server(), 'control-benign', 'stable'), 'stable', home.path)
    expect(await openPinned(host)).toMatchObject([{ outcome: 'opened' }])
  })

  it('refuses a skill that nobody has reviewed, and one whose pin was tampered with', async () => {
    await using home = await temporary()
    const url = await registerTrial(server(), 'control-benign', 'stable')
    const places = new Places(home.path)
    const connect = async () => await Session.connect('lab', url, new Guard([], () => undefined))
    const host: PinningHost = {
      connect,
      revision: 'stable',
      places,
    }
    expect(await openPinned(host)).toMatchObject([{ outcome: 'refused', refusal: 'manifest-missing' }])
    const [pinned] = await review(host)
    const other = { schema: 'skills-anywhere-bundle-1', sha256: '0'.repeat(64), total_bytes: 0, files: [] } as const
    places.writePin(pinned?.uri ?? '', other)
    expect(await openPinned(host)).toMatchObject([{ outcome: 'refused' }])
  })

  it('says that there was no answer when the server is lost between the visits', async () => {
    await using home = await temporary()
    await using proxy = await breakFrom(
      (await registerTrial(server(), 'control-benign', 'stable')).href,
      'skills/list',
      2,
      'reset',
    )
    const { code, lines, installed } = await visited(proxy.url, 'stable', home.path, 2_000)
    expect([code, lines[0]?.outcome, installed]).toEqual([pinningExit.noAnswer, 'no-answer', []])
  })
})
