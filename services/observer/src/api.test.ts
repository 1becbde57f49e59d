import { createHash } from 'node:crypto'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { request as httpRequest } from 'node:http'
import {
  ControlError,
  evidencePath,
  Health,
  LandfallError,
  Observation,
  ObservationStarted,
  ObserverState,
} from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { createApi } from './api.ts'
import { systemClock } from './clock.ts'
import { defaultEvidenceLimits } from './evidence/limits.ts'
import { EvidenceStore } from './evidence/store.ts'
import { defaultLimits } from './limits.ts'
import { listen } from './listen.ts'
import { LiveFeed } from './live-feed.ts'
import { LivingVictim } from './live-page/living-victim.ts'
import { PageState } from './live-page/page-state.ts'
import { pageRoutes } from './page-routes.ts'
import { ObservationRegistry } from './registry.ts'
import { Tree } from './testing/tree.ts'

async function serve(evidence?: EvidenceStore) {
  const tree = new Tree()
  const page: PageState = new PageState({
    clock: systemClock,
    version: '1',
    mode: 'run',
    onNews: (news) => feed.news(news),
  })
  const feed = new LiveFeed(systemClock, page.boot)
  const faults: unknown[] = []
  const registry = new ObservationRegistry({
    clock: systemClock,
    limits: defaultLimits,
    hold: (marker) => {
      if (marker === 'broken') throw new Error('a secret of the machine')
      if (marker !== 'here') throw new LandfallError('unknown', 'no such victim', { kind: 'victim', name: marker })
      return Promise.resolve(tree.hold())
    },
    ...(evidence && { evidence }),
    events: { begun: () => undefined, ended: () => undefined, dropped: () => undefined },
  })
  const onFault = (error: unknown): unknown => faults.push(error)
  const app = createApi({
    registry,
    version: '1',
    allowedHosts: ['observer'],
    pages: pageRoutes({ clock: systemClock, feed, page, readLive: new LivingVictim().read }),
    onFault,
    ...(evidence && { evidence }),
  })
  const server = await listen(app, '127.0.0.1', 0)
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  return {
    tree,
    feed,
    page,
    faults,
    base,
    port,
    post: (path: string, body: unknown, type = 'application/json') =>
      fetch(base + path, {
        method: 'POST',
        headers: { 'content-type': type },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: async () => {
      feed[Symbol.dispose]()
      registry[Symbol.dispose]()
      tree[Symbol.dispose]()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const begin = (trial: string, marker = 'here') => ({ trial, marker, tokens: [], decoys: [] })

async function problem(answer: Response): Promise<[number, string]> {
  expect(answer.headers.get('content-type')).toContain('application/json')
  return [answer.status, ControlError.parse(await answer.json()).error.code]
}

/** A request with a Host header of one's own, which fetch does not allow. */
function withHost(port: number, host: string): Promise<number> {
  return new Promise((done, fail) => {
    const request = httpRequest({ port, host: '127.0.0.1', path: '/healthz', headers: { host } }, (answer) => {
      answer.resume()
      done(answer.statusCode ?? 0)
    })
    request.on('error', fail)
    request.end()
  })
}

describe('control interface', () => {
  it('begins and ends an observation', async () => {
    await using service = await serve()
    const begun = await service.post('/observations', begin('t1'))
    expect(begun.status).toBe(201)
    expect(ObservationStarted.parse(await begun.json())).toMatchObject({ trial: 't1', entries: 1 })
    service.tree.write('x')
    const ended = await service.post('/observations/t1/end', { deliveries: [] })
    expect(ended.status).toBe(200)
    expect(Observation.parse(await ended.json()).changes.map(({ path }) => path)).toContain('/x')
    expect(await problem(await service.post('/observations/t1/end', { deliveries: [] }))).toEqual([404, 'unknown'])
  })

  it('abandons an observation', async () => {
    await using service = await serve()
    await service.post('/observations', begin('t1'))
    expect(await problem(await service.post('/observations', begin('t2')))).toEqual([409, 'conflict'])
    const dropped = await fetch(`${service.base}/observations/t1`, { method: 'DELETE' })
    expect(dropped.status).toBe(204)
    expect(await problem(await fetch(`${service.base}/observations/t1`, { method: 'DELETE' }))).toEqual([
      404,
      'unknown',
    ])
    expect((await service.post('/observations', begin('t2'))).status).toBe(201)
  })

  it.each<[string, string, unknown, string, [number, string]]>([
    ['a body that is no JSON', '/observations', '{', 'application/json', [400, 'invalid']],
    ['a body that is not the contract', '/observations', { trial: 't1' }, 'application/json', [400, 'invalid']],
    ['a field too many', '/observations', { ...begin('t1'), more: 1 }, 'application/json', [400, 'invalid']],
    ['another content type', '/observations', begin('t1'), 'text/plain', [415, 'invalid']],
    ['a form', '/observations', 'a=b', 'application/x-www-form-urlencoded', [415, 'invalid']],
    ['a body that is too large', '/observations', 'x'.repeat(3_000_000), 'application/json', [413, 'invalid']],
    ['a victim that is not there', '/observations', begin('t1', 'gone'), 'application/json', [404, 'unknown']],
    [
      'a trial that is not one',
      '/observations/%2e%2e%2fx/end',
      { deliveries: [] },
      'application/json',
      [400, 'invalid'],
    ],
    ['another path', '/nothing', {}, 'application/json', [404, 'unknown']],
  ])('answers %s as the contract says', async (_, path, body, type, expected) => {
    await using service = await serve()
    expect(await problem(await service.post(path, body, type))).toEqual(expected)
    expect(service.faults).toEqual([])
  })

  it('keeps the reason of its own faults to its log', async () => {
    await using service = await serve()
    const answer = await service.post('/observations', begin('t1', 'broken'))
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('secret')
    expect(service.faults).toHaveLength(1)
  })

  it('answers to its own names only', async () => {
    await using service = await serve()
    const { port } = service
    for (const host of ['127.0.0.1', 'localhost:3960', 'OBSERVER:1', '[::1]:3'])
      expect(await withHost(port, host)).toBe(200)
    for (const host of ['evil.example', 'observer.evil.example', '127.0.0.1.evil.example'])
      expect(await withHost(port, host)).toBe(403)
  })

  it('is healthy', async () => {
    await using service = await serve()
    expect(Health.parse(await (await fetch(`${service.base}/healthz`)).json())).toMatchObject({ service: 'observer' })
  })
})

describe('live page', () => {
  it('consists of its own files and allows no other', async () => {
    await using service = await serve()
    for (const [path, type] of [
      ['/', 'text/html'],
      ['/page.js', 'javascript'],
      ['/page.css', 'text/css'],
    ] as const) {
      const answer = await fetch(service.base + path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toContain(type)
      const policy = answer.headers.get('content-security-policy')
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('unsafe')
      expect(await answer.text()).not.toMatch(/https?:\/\/|innerHTML|style=|onclick/)
    }
    expect((await fetch(`${service.base}/../api.ts`)).status).toBe(404)
  })

  it('answers its state as the contract says, and refuses what is no question', async () => {
    await using service = await serve()
    const state = ObserverState.parse(await (await fetch(`${service.base}/state`)).json())
    expect(state).toMatchObject({ trial: null, boot: service.page.boot })
    const after = `boot=${state.boot}&after=${state.revision}`
    expect(await (await fetch(`${service.base}/state?${after}`)).json()).not.toHaveProperty('trial')
    for (const [path, status, code] of [
      ['/state?after=x', 400, 'invalid'],
      ['/trials/none', 404, 'unknown'],
      ['/trials/none/export', 404, 'unknown'],
      ['/trials/..%2f..%2fetc', 400, 'invalid'],
      ['/content', 400, 'invalid'],
      ['/content?path=etc', 400, 'invalid'],
      ['/content?path=/etc/passwd', 404, 'unknown'],
    ] as const)
      expect([path, ...(await problem(await fetch(service.base + path)))]).toEqual([path, status, code])
  })

  it('streams the past and then what comes, one frame an event whatever the text', async () => {
    await using service = await serve()
    service.feed.publish({ trial: 'manual', kind: 'landed', text: 'first\n\ndata: forged', path: '/<b>' })
    service.feed.publish({ trial: 'manual', kind: 'ok', text: 'second' })
    const read = await reader(`${service.base}/events`, '')
    expect(await read(2)).toMatchObject([
      { id: 1, text: 'first\n\ndata: forged', path: '/<b>' },
      { id: 2, text: 'second' },
    ])
    service.feed.publish({ trial: 'manual', kind: 'ok', text: 'third' })
    expect(await read(1)).toMatchObject([{ id: 3, text: 'third' }])
    const again = await reader(`${service.base}/events`, `${service.page.boot}.2`)
    expect(await again(1)).toMatchObject([{ id: 3 }])
    // The number of an event of an earlier life of the observer says nothing.
    const anew = await reader(`${service.base}/events`, 'another-life.2')
    expect(await anew(3)).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }])
  })

  it('serves kept content as bytes that no browser shows', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'landfall-evidence-'))
    const evidence = new EvidenceStore(folder.path, defaultEvidenceLimits)
    await using service = await serve(evidence)
    await service.post('/observations', begin('t1'))
    const content = '<script>alert(1)</script>'
    service.tree.write('page.html', content)
    const seen = Observation.parse(await (await service.post('/observations/t1/end', { deliveries: [] })).json())
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(seen.evidence.stored).toEqual([{ sha256, size: content.length }])
    const answer = await fetch(service.base + evidencePath(sha256))
    expect(await answer.text()).toBe(content)
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${sha256}.bin"`)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await problem(await fetch(service.base + evidencePath('0'.repeat(64))))).toEqual([404, 'unknown'])
    expect(await problem(await fetch(service.base + evidencePath('..%2f..%2fetc%2fpasswd')))).toEqual([400, 'invalid'])
  })
})

/** Reads server-sent events: every call answers the next `count` of them. */
async function reader(url: string, last: string): Promise<(count: number) => Promise<unknown[]>> {
  const answer = await fetch(url, { headers: { 'last-event-id': last } })
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  const chunks = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  return async (count) => {
    const events: unknown[] = []
    while (events.length < count) {
      const end = rest.indexOf('\n\n')
      if (end < 0) {
        rest += (await chunks?.read())?.value ?? ''
        continue
      }
      const data = rest
        .slice(0, end)
        .split('\n')
        .filter((line) => line.startsWith('data: '))
      rest = rest.slice(end + 2)
      if (data.length > 0) events.push(JSON.parse(data.map((line) => line.slice(6)).join('\n')))
    }
    return events
  }
}
