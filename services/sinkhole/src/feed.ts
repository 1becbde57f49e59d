import type { ServerResponse } from 'node:http'
import type { SinkholeEvent } from '@landfall/contracts'

/** What came, as server-sent events: a bounded past, then everything as it comes. */
const kept = 500
const mostReaders = 32
/** A reader that does not read is dropped rather than buffered for. */
const mostBuffered = 1024 * 1024
const heartbeatMs = 15_000

export class Feed implements Disposable {
  readonly #now: () => number
  readonly #past: SinkholeEvent[] = []
  readonly #readers = new Set<ServerResponse>()
  readonly #heartbeat: NodeJS.Timeout
  #next = 1

  constructor(now: () => number) {
    this.#now = now
    this.#heartbeat = setInterval(() => this.#send(': still here\n\n'), heartbeatMs).unref()
  }

  publish(told: Omit<SinkholeEvent, 'id' | 'time'>): void {
    const event = { id: this.#next, time: new Date(this.#now()).toISOString(), ...told }
    this.#next += 1
    this.#past.push(event)
    if (this.#past.length > kept) this.#past.shift()
    if (this.#readers.size > 0) this.#send(frame(event))
  }

  /** Streams to a reader until it leaves. `after` is the id of the last event it knows. False when there are too many. */
  attach(response: ServerResponse, after: number): boolean {
    if (this.#readers.size >= mostReaders) return false
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
    // A sinkhole that was started anew counts from 1 again.
    const from = after < this.#next ? after : 0
    response.write(['retry: 2000\n\n', ...this.#past.filter(({ id }) => id > from).map(frame)].join(''))
    this.#readers.add(response)
    response.on('close', () => this.#readers.delete(response))
    return true
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat)
    for (const reader of this.#readers) reader.destroy()
  }

  #send(text: string): void {
    for (const reader of this.#readers) {
      if (reader.writableLength > mostBuffered) reader.destroy()
      else reader.write(text)
    }
  }
}

/** JSON holds no line break, so nothing in an event can begin another. */
const frame = (event: SinkholeEvent): string => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`
