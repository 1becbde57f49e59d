import type { ServerResponse } from 'node:http'
import type { Clock } from './clock.ts'
import type { FindingKind } from './report.ts'

/** What the live page is told, as server-sent events: a bounded past, then everything as it comes. */

export interface LiveEvent {
  readonly id: number
  /** ISO 8601, UTC. */
  readonly time: string
  /** The trial, or `manual`. */
  readonly trial: string
  readonly kind: FindingKind | 'begin' | 'end' | 'blind'
  readonly text: string
  /** Wire form. */
  readonly path?: string
}

const kept = 500
const mostClients = 32
/** A reader that does not read is dropped rather than buffered for. */
const mostBuffered = 1024 * 1024
const heartbeatMs = 15_000

export class LiveFeed implements Disposable {
  readonly #clock: Clock
  readonly #past: LiveEvent[] = []
  readonly #clients = new Set<ServerResponse>()
  readonly #heartbeat: NodeJS.Timeout
  #next = 1

  constructor(clock: Clock) {
    this.#clock = clock
    this.#heartbeat = setInterval(() => this.#send(': still here\n\n'), heartbeatMs)
    this.#heartbeat.unref()
  }

  publish(told: Omit<LiveEvent, 'id' | 'time'>): void {
    const event = { id: this.#next, time: this.#clock.now().toISOString(), ...told }
    this.#next += 1
    this.#past.push(event)
    if (this.#past.length > kept) this.#past.shift()
    this.#send(frame(event))
  }

  /** Streams to a page until it leaves. `after` is the id of the last event it knows. Answers false when there are too many. */
  attach(response: ServerResponse, after: number): boolean {
    if (this.#clients.size >= mostClients) return false
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
    // An observer that was started anew counts from 1 again.
    const from = after < this.#next ? after : 0
    response.write(['retry: 2000\n\n', ...this.#past.filter(({ id }) => id > from).map(frame)].join(''))
    this.#clients.add(response)
    response.on('close', () => this.#clients.delete(response))
    return true
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat)
    for (const client of this.#clients) client.destroy()
  }

  #send(text: string): void {
    for (const client of this.#clients) {
      if (client.writableLength > mostBuffered) client.destroy()
      else client.write(text)
    }
  }
}

/** JSON holds no line break, so nothing in an event can begin another. */
function frame(event: LiveEvent): string {
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`
}
