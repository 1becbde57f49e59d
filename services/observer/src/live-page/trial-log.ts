import type {
  Blindness,
  LiveEvent,
  LiveLoss,
  ObservationAbout,
  PageFinding,
  PageTrial,
  TrialView,
} from '@landfall/contracts'
import type { SeenParts } from '@landfall/catalog'
import type { Processes } from '@landfall/contracts'
import { ChangeLog } from './change-log.ts'
import type { LiveDecoys } from './decoy-log.ts'
import { DecoyLog } from './decoy-log.ts'

/** One trial as the page shows it, from its begin to its end and, kept, after that. */

export interface TrialOpening {
  readonly trial: string
  readonly since: Date
  readonly entries: number
  readonly about?: ObservationAbout
  readonly fixtures: readonly string[]
  readonly decoys: readonly { readonly name: string; readonly path: string }[]
  /** Whether comparisons come while the victim lives; otherwise the state of decoys is known at the end. */
  readonly rounds: boolean
}

const mostFindings = 2_000
const mostBlindness = 500
const words = ['landed', 'trace', 'ok', 'decoy'] as const

export class TrialLog {
  readonly #opening: TrialOpening
  readonly #findings = new Map<string, PageFinding>()
  readonly #counts = { landed: 0, trace: 0, ok: 0, decoy: 0 }
  readonly #blindness = new Map<string, Blindness>()
  readonly #changes = new ChangeLog()
  readonly #decoys: DecoyLog
  #losses: readonly LiveLoss[] = []
  #state: PageTrial['state'] = 'watching'
  #until: Date | undefined
  /** Kept from the end on; before it is asked for. */
  processes: Processes | undefined

  constructor(opening: TrialOpening) {
    this.#opening = opening
    this.#decoys = new DecoyLog(opening.decoys, opening.rounds ? 'intact' : 'watching')
  }

  get trial(): string {
    return this.#opening.trial
  }

  get isOver(): boolean {
    return this.#state !== 'watching'
  }

  /** Adds one comparison and the sentences about it. Answers whether the list of changes is another one now. */
  see(findings: readonly PageFinding[], { changes, decoys }: SeenParts): boolean {
    for (const { kind, text, path } of findings) {
      const key = `${kind} ${text} ${path ?? ''}`
      if (this.#findings.has(key)) continue
      this.#counts[kind] += 1
      if (this.#findings.size >= mostFindings) continue
      this.#findings.set(key, { kind, text, ...(path === undefined ? {} : { path }) })
    }
    this.#decoys.see(decoys)
    return this.#changes.add(changes)
  }

  /** What the live witness knows by now of decoys and of its own losses. */
  live(decoys: LiveDecoys, losses: readonly LiveLoss[]): void {
    this.#decoys.live(decoys)
    this.#losses = losses
  }

  happened(events: readonly LiveEvent[]): boolean {
    return this.#decoys.happened(events)
  }

  blind(blindness: readonly Blindness[]): void {
    for (const item of blindness) {
      const key = `${item.kind} ${item.detail} ${item.path ?? ''}`
      if (this.#blindness.size < mostBlindness || this.#blindness.has(key)) this.#blindness.set(key, item)
    }
  }

  end(state: 'ended' | 'dropped', until: Date): void {
    this.#state = state
    this.#until = until
  }

  /** What of its files may be shown: the size and digest of a path that was seen to change. */
  change(path: string) {
    return this.#changes.get(path)
  }

  changes(): TrialView['changes'] {
    return this.#changes.result()
  }

  summary(): PageTrial {
    const { trial, since, entries, about, fixtures } = this.#opening
    const findings = [...this.#findings.values()]
    return {
      trial,
      ...(about === undefined ? {} : { about }),
      fixtures: [...fixtures],
      state: this.#state,
      since: since.toISOString(),
      ...(this.#until === undefined ? {} : { until: this.#until.toISOString() }),
      entries,
      counts: { ...this.#counts, change: this.#changes.size },
      // Landings first: they are what the list is cut for last.
      findings: words.flatMap((kind) => findings.filter((finding) => finding.kind === kind)),
      decoys: this.#decoys.result(),
      blindness: [...this.#blindness.values()],
      losses: [...this.#losses],
    }
  }

  view(): TrialView {
    return {
      trial: this.summary(),
      changes: this.changes(),
      ...(this.processes === undefined ? {} : { processes: this.processes }),
    }
  }
}
