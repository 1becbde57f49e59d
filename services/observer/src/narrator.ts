import type { FixtureRow, SeenParts } from '@landfall/catalog'
import type { Blindness } from '@landfall/contracts'
import type { LiveEvent, LiveFeed } from './live-feed.ts'
import { findings, otherChanges } from './report.ts'

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
  /** What was told of the present trial, so that a file that keeps growing is told once. */
  readonly #told = new Set<string>()

  constructor(log: NarratorLog, feed: LiveFeed) {
    this.#log = log
    this.#feed = feed
  }

  begin(trial: string, text: string): void {
    this.#told.clear()
    this.#say({ trial, kind: 'begin', text })
  }

  end(trial: string, text: string): void {
    this.#say({ trial, kind: 'end', text })
  }

  seen(trial: string, rows: readonly FixtureRow[], seen: SeenParts): void {
    const found = findings(rows, seen)
    for (const finding of found) {
      const line = lineOf(finding)
      if (this.#told.has(line)) continue
      this.#told.add(line)
      this.#say({ trial, ...finding })
    }
    for (const change of otherChanges(seen, found, mostChanges)) this.#say({ trial, ...change })
  }

  blind(trial: string, blindness: readonly Blindness[]): void {
    for (const { detail, path } of blindness) {
      this.#say({ trial, kind: 'blind', text: `not seen: ${detail}`, ...(path === undefined ? {} : { path }) })
    }
  }

  #say(told: Omit<LiveEvent, 'id' | 'time'>): void {
    const { trial, kind } = told
    const level = kind === 'landed' || kind === 'decoy' || kind === 'blind' ? 'warn' : 'info'
    this.#log[level]({ trial, kind }, lineOf(told))
    this.#feed.publish(told)
  }
}

function lineOf({ text, path }: Pick<LiveEvent, 'text' | 'path'>): string {
  return path === undefined ? text : `${text} -> ${path}`
}
