import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { deriveCanary, type Revision, trialPath } from '@landfall/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Break, breakFrom, breaks } from '../../testing/breaking-proxy.ts'
import { type SkillsServer, startSkillsServer } from '../../testing/skills-server.ts'
import { NoAnswer } from './answer.ts'
import { Disk } from './disk.ts'
import { visit } from './reference.ts'

/** The real server, and between it and the host something that breaks the connection in the middle of a visit. */
let server: SkillsServer
beforeAll(async () => {
  server = await startSkillsServer()
}, 60_000)
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

/** The `from`-th request of a method, counted over the whole visit: the last of each is in the second half of it. */
const places = [
  { revision: 'stable', method: 'skills/list', from: 1 },
  { revision: 'stable', method: 'resources/read', from: 1 },
  { revision: 'stable', method: 'resources/read', from: 2 },
  { revision: 'stable', method: 'resources/directory/read', from: 1 },
  { revision: 'stable', method: 'skills/list', from: 2 },
  { revision: 'index', method: 'resources/read', from: 1 },
  { revision: 'index', method: 'resources/read', from: 2 },
  { revision: 'index', method: 'resources/read', from: 3 },
] as const

describe.each(places)('a connection that breaks at $method $from ($revision)', ({ revision, method, from }) => {
  it.each(breaks)('by %s is no refusal', async (how) => {
    await using proxy = await breakFrom(await trialOf(revision), method, from, how)
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lost-'))
    const visited = visit({
      url: proxy.url,
      label: 'lab',
      revision,
      consent: 'always',
      without: [],
      disk: new Disk(folder.path),
      home: '/home/agent',
      log: () => undefined,
      // Half a stream looks like one that goes on.
      limitMs: 500,
      around: { run: () => undefined, elsewhere: async () => Promise.resolve(), context: () => undefined },
    })
    await expect(visited).rejects.toBeInstanceOf(NoAnswer)
    expect(proxy.broken()).toBeGreaterThan(0)
  })
})

describe('landfall-host reference visit', () => {
  const program = fileURLToPath(new URL('../main.ts', import.meta.url))

  const run = async (how: Break) => {
    await using proxy = await breakFrom(await trialOf('stable'), 'resources/read', 2, how)
    await using home = await mkdtempDisposable(join(tmpdir(), 'lost-'))
    const asked = ['--revision', 'stable', '--consent', 'always', '--home', home.path]
    const child = spawn(process.execPath, [program, 'reference', 'visit', proxy.url.href, ...asked])
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number]>])
    return { code, said: JSON.parse(stdout) as unknown }
  }

  it('ends with 4 when the server drops the connection in the middle', async () => {
    expect(await run('reset')).toMatchObject({ code: 4, said: { outcome: 'no-answer' } })
  })
})

async function trialOf(revision: Revision): Promise<string> {
  const key = `t-${randomBytes(16).toString('hex')}`
  const body = JSON.stringify({ key, fixture: 'control-benign', revision, canary: deriveCanary('lost', key) })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.controlUrl}/trials`, { method: 'POST', headers, body })
  expect(answer.ok).toBe(true)
  return new URL(trialPath(key), server.url).href
}
