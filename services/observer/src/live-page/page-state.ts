import { randomUUID } from 'node:crypto'
import type { LiveEvent, Observation, ObserverState, Processes, SinkholeEvent, StateNews } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts'
import type { Clock } from '../clock.ts'
import type { TrialOpening } from './trial-log.ts'
import { TrialLog } from './trial-log.ts'

/**
 * Everything the page shows, in parts that have a revision each, so that a page asks only for what is new.
 */

export interface PageStateOptions {
  readonly clock: Clock
  readonly version: string
  readonly mode: 'manual' | 'run'
  readonly run?: string
  /** Told of every new revision. */
  readonly onNews?: (news: StateNews) => void
}

export interface KeptTrial {
  readonly log: TrialLog
  readonly observation: Observation | undefined
}

type Part = 'observer' | 'trial' | 'changes' | 'processes' | 'past' | 'sinkhole'

/** Trials kept after their end, and changes kept in all of them together: about 500 bytes each. */
const mostPast = 50
const mostPastChanges = 40_000
const mostHits = 500

export class PageState {
  readonly boot = randomUUID()
  readonly #options: PageStateOptions
  readonly #startedAt: string
  readonly #revisions: Record<Part, number> = {
    observer: 1,
    trial: 1,
    changes: 1,
    processes: 1,
    past: 1,
    sinkhole: 1,
  }
  #revision = 1
  #current: KeptTrial | undefined
  #past: KeptTrial[] = []
  readonly #hits: SinkholeEvent[] = []
  #sinkhole: ObserverState['observer']['sinkhole'] = 'off'
  #sampled: (() => Processes | undefined) | undefined

  constructor(options: PageStateOptions) {
    this.#options = options
    this.#startedAt = options.clock.now().toISOString()
  }

  get news(): StateNews {
    return { boot: this.boot, revision: this.#revision }
  }

  /** The present trial, while it lasts. */
  get current(): TrialLog | undefined {
    return this.#current?.log.isOver === false ? this.#current.log : undefined
  }

  /** `sampled` answers what is known of the victim's processes while the trial lasts. */
  begin(opening: Omit<TrialOpening, 'since'>, sampled?: () => Processes | undefined): void {
    this.#keep()
    this.#current = { log: new TrialLog({ ...opening, since: this.#options.clock.now() }), observation: undefined }
    this.#sampled = sampled
    this.#touch('trial', 'changes', 'processes', 'past')
  }

  see(...seen: Parameters<TrialLog['see']>): void {
    const [findings, { changes }] = seen
    if (findings.length === 0 && changes.length === 0) return
    this.#touch('trial', ...(this.current?.see(...seen) === true ? (['changes'] as const) : []))
  }

  live(...seen: Parameters<TrialLog['live']>): void {
    this.current?.live(...seen)
    this.#touch('trial')
  }

  /** What the live witness saw as it happened: of it only reads of decoys change the state. */
  happened(trial: string, events: readonly LiveEvent[]): void {
    const log = this.current
    if (log?.trial === trial && log.happened(events)) this.#touch('trial')
  }

  blind(...blindness: Parameters<TrialLog['blind']>): void {
    if (blindness[0].length === 0) return
    this.current?.blind(...blindness)
    this.#touch('trial')
  }

  /** The trial ends, with what the runner was answered or, driven by hand or given up, without. */
  end(state: 'ended' | 'dropped', observation?: Observation): void {
    const log = this.current
    if (log === undefined) return
    log.processes = observation?.processes ?? this.#sampled?.()
    this.#sampled = undefined
    log.end(state, this.#options.clock.now())
    this.#current = { log, observation }
    this.#touch('trial', 'processes')
  }

  /** Called now and then, so that pages learn of new samples. */
  sampled(): void {
    if (this.#sampled !== undefined) this.#touch('processes')
  }

  hit(event: SinkholeEvent): void {
    this.#hits.push(event)
    if (this.#hits.length > mostHits) this.#hits.shift()
    this.#touch('sinkhole')
  }

  sinkhole(state: ObserverState['observer']['sinkhole']): void {
    if (state === this.#sinkhole) return
    this.#sinkhole = state
    this.#touch('observer')
  }

  /** The parts that changed after the revision that a page knows; all of them for a page of another life. */
  snapshot(known: { boot: string | undefined; after: number }): ObserverState {
    const after = known.boot === this.boot ? known.after : 0
    const isNew = (part: Part): boolean => this.#revisions[part] > after
    const log = this.#current?.log
    return {
      ...this.news,
      observer: this.observer(),
      ...(isNew('trial') ? { trial: log?.summary() ?? null } : {}),
      ...(isNew('changes') ? { changes: log?.changes() ?? { rows: [], more: 0 } } : {}),
      ...(isNew('processes') ? { processes: this.#processes() ?? null } : {}),
      ...(isNew('past') ? { past: this.#past.map(({ log: past }) => summaryOf(past)).toReversed() } : {}),
      ...(isNew('sinkhole') ? { sinkhole: [...this.#hits] } : {}),
    }
  }

  observer(): ObserverState['observer'] {
    const { version, mode, run } = this.#options
    return {
      version,
      startedAt: this.#startedAt,
      mode,
      ...(run === undefined || run === '' ? {} : { run }),
      sinkhole: this.#sinkhole,
    }
  }

  /**
   * The present or a kept trial. Of several with one name, as all that are driven by hand, the latest that began at
   * `since`, or the latest of all.
   *
   * @throws LandfallError `unknown`
   */
  find(trial: string, since?: string): KeptTrial {
    const kept = [...this.#past, ...(this.#current === undefined ? [] : [this.#current])]
    const found = kept.findLast(
      ({ log }) => log.trial === trial && (since === undefined || log.summary().since === since),
    )
    if (found === undefined)
      throw new LandfallError('unknown', `The trial ${trial} is not kept any more, or never was`, {
        kind: 'trial',
        name: trial,
      })
    if (found.log === this.#current?.log) found.log.processes = this.#processes()
    return found
  }

  #processes(): Processes | undefined {
    return this.#sampled?.() ?? this.#current?.log.processes
  }

  #keep(): void {
    if (this.#current === undefined) return
    if (!this.#current.log.isOver) this.end('dropped')
    this.#past.push(this.#current)
    let changes = 0
    const fits = this.#past.toReversed().filter(({ log }, index) => {
      changes += log.summary().counts.change
      return index === 0 || (index < mostPast && changes <= mostPastChanges)
    })
    this.#past = fits.toReversed()
  }

  #touch(...parts: readonly Part[]): void {
    this.#revision += 1
    for (const part of parts) this.#revisions[part] = this.#revision
    this.#options.onNews?.(this.news)
  }
}

function summaryOf(log: TrialLog): NonNullable<ObserverState['past']>[number] {
  const { trial, about, state, since, until, counts } = log.summary()
  return {
    trial,
    ...(about === undefined ? {} : { about }),
    state,
    since,
    ...(until === undefined ? {} : { until }),
    counts,
  }
}
