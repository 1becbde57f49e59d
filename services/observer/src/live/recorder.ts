import type { EntryType, LiveEvent, LiveEventKind, LiveLossKind, LiveObservation } from '@landfall/contracts'
import { wire } from '../entry.ts'
import { Latency } from './latency.ts'
import type { LiveLimits } from './limits.ts'

/** Keeps what was seen, within limits: the first events, counts of all, and every kind of loss. */

/** Paths here are bytes in latin1; they are put into wire form only for what is listed. */
export interface Told {
  readonly kind: LiveEventKind
  readonly path: string
  readonly from?: string
  readonly type?: EntryType | undefined
  readonly target?: string | undefined
  readonly mode?: number | undefined
  readonly found: 'event' | 'scan'
}

export interface Gone {
  readonly path: string
  readonly type?: EntryType | undefined
  readonly createdMs?: number | undefined
}

/** Events that the page may show between two of its looks; of more only the number. */
const mostWaiting = 10

export class Recorder {
  readonly latency = new Latency()
  /** When the events that are being read were read, in milliseconds since the beginning. */
  nowMs = 0
  largestGapMs = 0
  raw = 0
  scanned = 0
  readonly #limits: LiveLimits
  readonly #events: LiveEvent[] = []
  readonly #byKind = new Map<LiveEventKind, number>()
  readonly #losses: LiveObservation['losses'] = []
  readonly #lossCounts = new Map<LiveLossKind, number>()
  readonly #transient: LiveObservation['transient'] = []
  #transientCount = 0
  #transientBytes = 0
  #bytes = 0
  #unlisted = 0
  #last: { told: Told; index: number | undefined } | undefined
  #waiting: LiveEvent[] = []
  #dropped = 0

  constructor(limits: LiveLimits) {
    this.#limits = limits
  }

  tell(told: Told): void {
    this.#byKind.set(told.kind, (this.#byKind.get(told.kind) ?? 0) + 1)
    if (told.found === 'scan') this.scanned += 1
    if (this.#repeats(told)) return
    const listed = this.#events.length < this.#limits.events && this.#bytes < this.#limits.eventBytes
    this.#last = { told, index: listed ? this.#events.length : undefined }
    const shown = this.#waiting.length < mostWaiting
    if (!listed) this.#unlisted += 1
    if (!shown) this.#dropped += 1
    if (!listed && !shown) return
    const event = this.#event(told)
    if (shown) this.#waiting.push(event)
    if (!listed) return
    this.#bytes += event.path.length + (event.from?.length ?? 0) + (event.target?.length ?? 0)
    this.#events.push(event)
  }

  /** Whether it only continues the last event, which then counts one more. */
  #repeats(told: Told): boolean {
    const last = this.#last
    if (last === undefined || last.told.kind !== told.kind || last.told.path !== told.path) return false
    if (told.from !== undefined) return false
    const event = last.index === undefined ? undefined : this.#events[last.index]
    if (event === undefined || last.index === undefined) return true
    const mode = told.mode === undefined ? {} : { mode: told.mode }
    this.#events[last.index] = { ...event, times: event.times + 1, ...mode }
    return true
  }

  #event({ kind, path, from, type, target, mode, found }: Told): LiveEvent {
    return {
      kind,
      path: wire(path),
      ...(from === undefined ? {} : { from: wire(from) }),
      ...(type === undefined ? {} : { type }),
      ...(target === undefined ? {} : { target: wire(target) }),
      ...(mode === undefined ? {} : { mode }),
      atMs: micro(this.nowMs),
      found,
      times: 1,
    }
  }

  /** Whether the last thing told was one of these about `path`. */
  lastWas(path: string, ...kinds: LiveEventKind[]): boolean {
    const told = this.#last?.told
    return told !== undefined && told.path === path && kinds.includes(told.kind)
  }

  gone({ path, type, createdMs }: Gone): void {
    this.#transientCount += 1
    if (this.#transient.length >= this.#limits.transient || this.#transientBytes > this.#limits.transientBytes) return
    this.#transientBytes += path.length
    this.#transient.push({
      path: wire(path),
      ...(type === undefined ? {} : { type }),
      ...(createdMs === undefined ? {} : { createdMs: micro(createdMs) }),
      goneMs: micro(this.nowMs),
    })
  }

  lost(kind: LiveLossKind, detail: string, path?: string): void {
    const count = (this.#lossCounts.get(kind) ?? 0) + 1
    this.#lossCounts.set(kind, count)
    if (count <= this.#limits.losses)
      this.#losses.push({ kind, detail, ...(path === undefined ? {} : { path: wire(path) }) })
  }

  /** A look at the queue at `nowMs`, so long after the one before. */
  beat(nowMs: number): void {
    const gap = nowMs - this.nowMs
    this.nowMs = nowMs
    if (gap > this.largestGapMs) this.largestGapMs = gap
    if (gap > this.#limits.gapMs) {
      this.lost('gap', `the observer did not run for ${Math.round(gap)} ms, until ${Math.round(nowMs)} ms`)
    }
  }

  /** What the page may show since the last time, and how many more there were. */
  take(): { events: LiveEvent[]; dropped: number } {
    const taken = { events: this.#waiting, dropped: this.#dropped }
    this.#waiting = []
    this.#dropped = 0
    return taken
  }

  result(): Pick<LiveObservation, 'events' | 'transient' | 'losses' | 'largestGapMs' | 'latencyUs'> & {
    counts: Omit<LiveObservation['counts'], 'standing' | 'watches'>
  } {
    return {
      events: this.#events,
      transient: this.#transient,
      losses: this.#losses,
      largestGapMs: micro(this.largestGapMs),
      latencyUs: this.latency.result(),
      counts: {
        raw: this.raw,
        byKind: Object.fromEntries(this.#byKind),
        scanned: this.scanned,
        transient: this.#transientCount,
        unlisted: this.#unlisted,
        losses: Object.fromEntries(this.#lossCounts),
      },
    }
  }
}

function micro(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000
}
