import type { FixtureRow, SeenParts } from '@landfall/catalog'
import type { Blindness, LiveObservation, Observation, PageEvent } from '@landfall/contracts'
import type { LiveFeed } from './live-feed.ts'
import type { PageState } from './live-page/page-state.ts'
import { findings, isFinding, otherChanges } from './report.ts'

/** Tells people what is seen, in the log and on the live page alike. */

export interface NarratorLog {
  readonly info: (facts: object, text: string) => void
  readonly warn: (facts: object, text: string) => void
}

/** Plain changes told one by one in a round; of the rest only the number. */
const mostChanges = 10

export class Narrator {
  readonly #log: NarratorLog
  readonly #feed: LiveFeed
  readonly #page: PageState | undefined
  /** What was told of the present trial, so that a file that keeps growing is told once. */
  readonly #told = new Set<string>()

  constructor(log: NarratorLog, feed: LiveFeed, page?: PageState) {
    this.#log = log
    this.#feed = feed
    this.#page = page
  }

  begin(opening: Parameters<PageState['begin']>[0], text: string, sampled?: Parameters<PageState['begin']>[1]): void {
    this.#told.clear()
    this.#page?.begin(opening, sampled)
    this.#say({ trial: opening.trial, kind: 'begin', text })
  }

  /** `observation` is what the runner got, if it got one. */
  end(trial: string, text: string, state: 'ended' | 'dropped' = 'ended', observation?: Observation): void {
    this.#page?.end(state, observation)
    this.#say({ trial, kind: 'end', text })
  }

  seen(trial: string, rows: readonly FixtureRow[], seen: SeenParts): void {
    const found = findings(rows, seen)
    this.#page?.see(found.filter(isFinding), seen)
    for (const finding of found) {
      const line = lineOf(finding)
      if (this.#told.has(line)) continue
      this.#told.add(line)
      this.#say({ trial, ...finding })
    }
    for (const change of otherChanges(seen, found, mostChanges)) this.#say({ trial, ...change })
  }

  /** What the live witness knows of decoys, and what it may have missed. */
  live(trial: string, live: Pick<LiveObservation, 'decoyReads' | 'transientCopies' | 'losses'>): void {
    this.#page?.live(live, live.losses)
    for (const { decoy, path, by } of live.decoyReads) {
      this.#sayOnce({ trial, kind: 'decoy', text: `decoy ${decoy}: it was ${by === 'read' ? 'read' : 'opened'}`, path })
    }
    for (const { detail, path } of live.losses) {
      this.#sayOnce({ trial, kind: 'blind', text: `not seen live: ${detail}`, ...(path === undefined ? {} : { path }) })
    }
  }

  blind(trial: string, blindness: readonly Blindness[]): void {
    this.#page?.blind(blindness)
    for (const { detail, path } of blindness) {
      this.#say({ trial, kind: 'blind', text: `not seen: ${detail}`, ...(path === undefined ? {} : { path }) })
    }
  }

  #sayOnce(told: Omit<PageEvent, 'id' | 'time'>): void {
    const line = lineOf(told)
    if (this.#told.has(line)) return
    this.#told.add(line)
    this.#say(told)
  }

  #say(told: Omit<PageEvent, 'id' | 'time'>): void {
    const { trial, kind } = told
    const level = kind === 'landed' || kind === 'decoy' || kind === 'blind' ? 'warn' : 'info'
    this.#log[level]({ trial, kind }, lineOf(told))
    this.#feed.publish(told)
  }
}

function lineOf({ text, path }: Pick<PageEvent, 'text' | 'path'>): string {
  return path === undefined ? text : `${text} -> ${path}`
}
