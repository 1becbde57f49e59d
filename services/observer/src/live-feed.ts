import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { PageEvent, StateNews } from '@landfall/contracts'
import type { Clock } from './clock.ts'

/** What the live page is told, as server-sent events: a bounded past, then everything as it comes. */

const kept = 500
/** Of these, what the live witness saw: a flood of it must not push out what was found. */
const keptLive = 150
const mostClients = 8
/** Bytes. A reader that does not read is dropped rather than buffered for; it learns what it has missed. */
const mostBuffered = 4 * 1024 * 1024
const heartbeatMs = 15_000
/** News of the state are told this often at most: a page asks for all that is new anyway. */
const newsMs = 200

export class LiveFeed implements Disposable {
  readonly #clock: Clock
  readonly #boot: string
  readonly #past: PageEvent[] = []
  readonly #clients = new Set<ServerResponse>()
  readonly #heartbeat: NodeJS.Timeout
  #news: StateNews | undefined
  #newsTimer: NodeJS.Timeout | undefined
  #next = 1
  #live = 0

  /** `boot` tells this life of the observer from others. */
  constructor(clock: Clock, boot: string = randomUUID()) {
    this.#clock = clock
    this.#boot = boot
    this.#heartbeat = setInterval(() => this.#send(': still here\n\n'), heartbeatMs)
    this.#heartbeat.unref()
  }

  get hasReaders(): boolean {
    return this.#clients.size > 0
  }

  publish(told: Omit<PageEvent, 'id' | 'time'>): void {
    const event = { id: this.#next, time: this.#clock.now().toISOString(), ...told }
    this.#next += 1
    this.#past.push(event)
    if (event.kind === 'live' && (this.#live += 1) > keptLive) this.#drop(this.#past.findIndex(isLive))
    if (this.#past.length > kept) this.#drop(0)
    this.#send(this.#frame(event))
  }

  /** Tells pages that there is a new state to ask for. */
  news(news: StateNews): void {
    this.#news = news
    if (this.#clients.size === 0) return
    this.#newsTimer ??= setTimeout(() => {
      this.#newsTimer = undefined
      this.#send(newsFrame(this.#news))
    }, newsMs).unref()
  }

  /** What was told since `since` (ISO 8601), of what is kept. */
  past(trial: string, since: string): PageEvent[] {
    return this.#past.filter((event) => event.trial === trial && event.time >= since)
  }

  /**
   * Streams to a page until it leaves. `last` is the `id` line of the last event it knows: one of an earlier life
   * of the observer says nothing about this one. Answers false when there are too many pages.
   */
  attach(response: ServerResponse, last: string): boolean {
    if (this.#clients.size >= mostClients) return false
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
    const after = last.startsWith(`${this.#boot}.`) ? Number(last.slice(this.#boot.length + 1)) : 0
    const past = this.#past.filter(({ id }) => id > after).map((event) => this.#frame(event))
    response.write(['retry: 2000\n\n', newsFrame(this.#news), ...past].join(''))
    this.#clients.add(response)
    response.on('close', () => this.#clients.delete(response))
    return true
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat)
    clearTimeout(this.#newsTimer)
    for (const client of this.#clients) client.destroy()
  }

  #drop(index: number): void {
    const [dropped] = this.#past.splice(index, 1)
    if (dropped !== undefined && isLive(dropped)) this.#live -= 1
  }

  #send(text: string): void {
    for (const client of this.#clients) {
      if (client.writableLength > mostBuffered) client.destroy()
      else client.write(text)
    }
  }

  /** JSON holds no line break, so nothing in an event can begin another. */
  #frame(event: PageEvent): string {
    return `id: ${this.#boot}.${event.id}\ndata: ${JSON.stringify(event)}\n\n`
  }
}

function isLive({ kind }: PageEvent): boolean {
  return kind === 'live'
}

function newsFrame(news: StateNews | undefined): string {
  return news === undefined ? '' : `event: state\ndata: ${JSON.stringify(news)}\n\n`
}
