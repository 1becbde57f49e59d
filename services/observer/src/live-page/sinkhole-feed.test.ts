import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SinkholeEvent } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { followSinkhole } from './sinkhole-feed.ts'

const event = (id: number, text = `GET /${id}`): SinkholeEvent => {
  return { id, time: '2026-01-01T00:00:00.000Z', kind: 'request', text }
}
const frame = (told: unknown): string => `id: 1\ndata: ${JSON.stringify(told)}\n\n`

/** A sinkhole that gives these texts, one for each time it is asked, and then hangs up. */
async function following(answers: readonly (string | undefined)[]) {
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    const text = answers[asked.length]
    asked.push(request.headers['last-event-id'])
    if (text === undefined) return request.socket.destroy()
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    // In two halves, as a network may cut it.
    response.write(text.slice(0, text.length / 2))
    setTimeout(() => response.end(text.slice(text.length / 2)), 5)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const stop = new AbortController()
  const events: SinkholeEvent[] = []
  const states: string[] = []
  const { port } = server.address() as AddressInfo
  const done = followSinkhole({
    url: `http://127.0.0.1:${port}/events`,
    onEvent: (told) => events.push(told),
    onState: (state) => states.push(state),
    signal: stop.signal,
    retryMs: 5,
  })
  for (let tries = 0; asked.length <= answers.length && tries < 500; tries += 1) await sleep(5)
  stop.abort()
  await done
  server.closeAllConnections()
  server.close()
  return { asked, events, states }
}

describe('listening to a sinkhole', () => {
  it('goes on where it was cut off, and says that it was', async () => {
    const { asked, events, states } = await following([frame(event(1)) + frame(event(2)), undefined, frame(event(3))])
    expect(events.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(asked.slice(0, 4)).toEqual(['0', '2', '2', '3'])
    expect(states.slice(0, 4)).toEqual(['connected', 'lost', 'lost', 'connected'])
  })

  it('leaves out what is not as the contract says', async () => {
    const odd = [
      'data: no json\n\n',
      frame({ ...event(1), kind: 'other' }),
      frame({ ...event(2), more: 1 }),
      frame(event(3, '<script>')),
    ]
    const { events } = await following([odd.join('')])
    expect(events).toEqual([event(3, '<script>')])
  })

  it('gives up an event that does not end, and asks again', async () => {
    const { events } = await following([`data: ${'x'.repeat(200_000)}`, frame(event(1))])
    expect(events.map(({ id }) => id)).toEqual([1])
  })
})
