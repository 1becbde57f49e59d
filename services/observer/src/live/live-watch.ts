import { Worker } from 'node:worker_threads'
import type { LiveEvent, LiveLoss, LiveObservation, ObservationRequest } from '@landfall/contracts'
import { withoutLive } from '@landfall/contracts'
import type { CapturedDecoy } from '../decoy-tracker.ts'
import type { HeldRoot } from '../held.ts'
import * as libc from '../libc.ts'
import { eventfd, quietFlags, write } from './kernel.ts'
import type { LiveLimits } from './limits.ts'
import { defaultLiveLimits } from './limits.ts'
import type { Answer, Command, ThreadData, WatchResult } from './protocol.ts'
import type { LiveEnd, LiveSoFar, LiveTrial, LiveWitness } from './witness.ts'

/**
 * The observer's side of live events: one thread that watches, for one trial at a time. Whatever happens to the
 * thread is said in the observation and never stops the observer.
 */
export interface LiveWatchOptions {
  readonly limits?: LiveLimits
  /** Some of the events as they come; `dropped` is how many more there were. */
  readonly onEvents?: (trial: string, events: readonly LiveEvent[], dropped: number) => void
  /** How long the thread may take for an answer, in milliseconds. */
  readonly patienceMs?: number
}

/** Of the observer's 256 MiB. A hundred thousand remembered names need about 20. */
const heap = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }
const one = Buffer.alloc(8)
one.writeBigUInt64LE(1n)

export class LiveWatch implements LiveWitness, Disposable {
  readonly #options: LiveWatchOptions
  readonly #bell = eventfd(0, quietFlags)
  readonly #heartbeat = new SharedArrayBuffer(8)
  #worker: Worker | undefined
  #current: Trial | undefined
  #next = 1

  constructor(options: LiveWatchOptions = {}) {
    this.#options = options
    this.#thread()
  }

  begin(held: HeldRoot, { trial, tokens, decoys }: Pick<ObservationRequest, 'trial' | 'tokens' | 'decoys'>): LiveTrial {
    this.#current?.[Symbol.dispose]()
    const { limits = defaultLiveLimits, patienceMs = 15_000 } = this.#options
    const subject = {
      tokens: new Map(tokens.map(({ token, fixture, site }) => [token, { fixture, site }])),
      decoys: new Map(decoys.map(({ token, name }) => [token, name])),
    }
    const begin = (id: number, beganNs: bigint): Command => {
      const roots = held.mounts
        .filter(({ kind }) => kind === 'directory')
        .map(({ key, fd }) => ({ key, fd: libc.openat(fd, libc.cName('.'), libc.openHandle) }))
      return { type: 'begin', id, roots, points: held.points, subject, limits, beganNs }
    }
    const current = new Trial({
      trial,
      begin,
      patienceMs,
      nextId: () => this.#next++,
      send: (command) => this.#send(command),
      ended: () => {
        if (this.#current === current) this.#current = undefined
      },
      silentMs: () => Number(process.hrtime.bigint() - Atomics.load(new BigInt64Array(this.#heartbeat), 0)) / 1e6,
    })
    this.#current = current
    current.start()
    return current
  }

  /** Ends the thread, as a fault would. For tests, which must see what follows. */
  async kill(): Promise<void> {
    await this.#worker?.terminate()
  }

  [Symbol.dispose](): void {
    this.#current?.[Symbol.dispose]()
    const worker = this.#worker
    this.#worker = undefined
    // It is woken, so that it ends now and lets go of the bell.
    void worker?.terminate().then(() => libc.close(this.#bell))
    write(this.#bell, one, one.length)
  }

  #send(command: Command): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is about windows of browsers
    this.#thread().postMessage(command)
    write(this.#bell, one, one.length)
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const data: ThreadData = { bell: this.#bell, heartbeat: this.#heartbeat }
    const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: data, resourceLimits: heap })
    worker.unref()
    worker.on('message', (answer: Answer) => {
      if (answer.id !== this.#current?.id) return
      if (answer.type === 'events') this.#options.onEvents?.(this.#current.trial, answer.events, answer.dropped)
      else this.#current.answered(answer)
    })
    let cause = 'the watching thread ended'
    worker.on('error', (error) => {
      cause = `the watching thread failed: ${String(error)}`
    })
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#current?.threadDied(cause)
    })
    this.#worker = worker
    return worker
  }
}

interface TrialOptions {
  readonly trial: string
  readonly begin: (id: number, beganNs: bigint) => Command
  readonly patienceMs: number
  readonly nextId: () => number
  readonly send: (command: Command) => void
  readonly ended: () => void
  /** How long ago the thread's last heartbeat was, in milliseconds. */
  readonly silentMs: () => number
}

type Waited = 'begin' | 'arm' | 'own' | 'result'

class Trial implements LiveTrial {
  readonly trial: string
  readonly #options: TrialOptions
  readonly #beganNs = process.hrtime.bigint()
  readonly #losses: LiveLoss[] = []
  readonly #waiting = new Map<Waited, (result: WatchResult | undefined) => void>()
  #id = 0
  #decoys: readonly CapturedDecoy[] | undefined
  #stopping = false
  #ended = false
  #restarts = 0
  #soFar: LiveSoFar | undefined
  /** Nobody watches any more. */
  #failed = false

  constructor(options: TrialOptions) {
    this.#options = options
    this.trial = options.trial
  }

  get id(): number {
    return this.#id
  }

  start(): void {
    this.#id = this.#options.nextId()
    this.#options.send(this.#options.begin(this.#id, this.#beganNs))
    if (this.#decoys !== undefined) this.#sendDecoys(this.#decoys)
  }

  async arm(decoys: readonly CapturedDecoy[]): Promise<void> {
    this.#decoys = decoys
    await this.#ask('arm', () => this.#sendDecoys(decoys))
  }

  async own(reading: boolean, readDecoys?: boolean): Promise<LiveSoFar | undefined> {
    const extra = readDecoys === undefined ? {} : { readDecoys }
    await this.#ask('own', () => this.#options.send({ type: 'own', id: this.#id, reading, ...extra }))
    const soFar = this.#soFar
    return soFar && { ...soFar, losses: [...this.#losses, ...soFar.losses] }
  }

  async stop(): Promise<LiveEnd> {
    this.#stopping = true
    const result = await this.#ask('result', () => this.#options.send({ type: 'stop', id: this.#id }))
    this.#finish()
    return { live: this.#live(result), standing: this.#restarts > 0 ? undefined : result?.standing }
  }

  answered(answer: Exclude<Answer, { type: 'events' }>): void {
    if (answer.type === 'failed') {
      this.#losses.push({ kind: 'watcher', detail: `watching failed: ${answer.detail}` })
      return this.#again()
    }
    if (answer.type === 'owned') {
      this.#soFar = answer.soFar
      return this.#settle('own', undefined)
    }
    if (answer.type === 'result') return this.#settle('result', answer.result)
    this.#settle(answer.what, undefined)
  }

  threadDied(cause: string): void {
    this.#losses.push({ kind: 'watcher', detail: cause })
    this.#again()
  }

  [Symbol.dispose](): void {
    if (this.#ended) return
    this.#options.send({ type: 'drop', id: this.#id })
    this.#finish()
  }

  /** Watches anew, so that the rest is not lost too; not again and again, and not when it is about to end. */
  #again(): void {
    if (this.#ended) return
    if (this.#stopping || this.#restarts > 0) {
      this.#failed = true
      for (const what of this.#waiting.keys()) this.#settle(what, undefined)
      return
    }
    this.#restarts += 1
    this.#losses.push({ kind: 'restart', detail: 'watching began anew; what was seen before is not listed' })
    this.start()
  }

  #sendDecoys(captured: readonly CapturedDecoy[]): void {
    const decoys = captured.flatMap(({ name, key, entry }) =>
      entry === undefined || entry.type !== 'file' ? [] : [{ name, key, inode: entry }],
    )
    this.#options.send({ type: 'arm', id: this.#id, decoys })
  }

  #ask(what: Waited, send: () => void): Promise<WatchResult | undefined> {
    if (this.#ended || this.#failed) return Promise.resolve(undefined)
    const { promise, resolve } = Promise.withResolvers<WatchResult | undefined>()
    const timer = setTimeout(() => {
      const silent = Math.round(this.#options.silentMs())
      this.#losses.push({
        kind: 'watcher',
        detail: `the watching thread did not answer; it was silent for ${silent} ms`,
      })
      this.#settle(what, undefined)
    }, this.#options.patienceMs)
    this.#waiting.set(what, (result) => {
      clearTimeout(timer)
      resolve(result)
    })
    send()
    return promise
  }

  #settle(what: Waited, result: WatchResult | undefined): void {
    const resolve = this.#waiting.get(what)
    this.#waiting.delete(what)
    resolve?.(result)
  }

  #finish(): void {
    this.#ended = true
    for (const what of this.#waiting.keys()) this.#settle(what, undefined)
    this.#options.ended()
  }

  #live(result: WatchResult | undefined): LiveObservation {
    const monotonicNs = String(this.#beganNs)
    const base = result?.live ?? withoutLive('the watching thread left no answer')
    const losses = [...this.#losses, ...base.losses]
    const counted = { ...base.counts.losses }
    for (const { kind } of this.#losses) counted[kind] = (counted[kind] ?? 0) + 1
    return { ...base, monotonicNs, losses, counts: { ...base.counts, losses: counted } }
  }
}
