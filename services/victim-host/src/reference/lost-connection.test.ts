import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Break, breakFrom, breaks } from '../../testing/breaking-proxy.ts'
import { ownServer } from '../../testing/own-server.ts'
import { registerTrial } from '../../testing/trial.ts'
import { NoAnswer } from '../mcp/answer.ts'
import { Disk } from './disk.ts'
import { visit } from './reference.ts'

/** The real server, and between it and the host something that breaks the connection in the middle of a visit. */
const server = ownServer()

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

// Half a stream looks like one that goes on, so that only the limit ends it: once is enough.
const cases = places.flatMap((place) => breaks.filter((how) => how !== 'half-stream').map((how) => ({ ...place, how })))

describe('a connection that breaks', () => {
  const slow = { ...places[2], how: 'half-stream' } as const
  it.each([...cases, slow])('at $method $from ($revision) by $how is no refusal', async (place) => {
    const { revision, method, from, how } = place
    await using proxy = await breakFrom(
      (await registerTrial(server(), 'control-benign', revision)).href,
      method,
      from,
      how,
    )
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
      ...(how === 'half-stream' ? { limitMs: 3_000 } : {}),
      around: { run: () => undefined, elsewhere: async () => Promise.resolve(), context: () => undefined },
    })
    await expect(visited).rejects.toBeInstanceOf(NoAnswer)
    expect(proxy.broken()).toBeGreaterThan(0)
  })
})

describe('landfall-host reference visit', () => {
  const program = fileURLToPath(new URL('../main.ts', import.meta.url))

  const run = async (how: Break) => {
    await using proxy = await breakFrom(
      (await registerTrial(server(), 'control-benign', 'stable')).href,
      'resources/read',
      2,
      how,
    )
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
