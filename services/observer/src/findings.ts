import type { Change, Observation, Sighting, SightingPlace } from '@landfall/contracts'
import type { z } from 'zod'
import type { BlindSpots } from './blindness.ts'
import { wire } from './entry.ts'
import type { Limits } from './limits.ts'

/** Gathers the findings of one comparison within their limits. */
export class Findings {
  readonly #tokens: ReadonlyMap<string, { readonly fixture: string; readonly site: string }>
  readonly #known: ReadonlySet<string>
  readonly #limits: Limits
  readonly #blind: BlindSpots
  readonly #changes: Change[] = []
  readonly #sightings: Sighting[] = []
  readonly #foreign: Observation['foreignTokens'] = []
  #changeBytes = 0
  readonly #full = new Set<string>()

  /** `known` holds the trial's tokens and those of its decoys, which are neither sightings nor foreign. */
  constructor(
    tokens: ReadonlyMap<string, { readonly fixture: string; readonly site: string }>,
    known: ReadonlySet<string>,
    limits: Limits,
    blind: BlindSpots,
  ) {
    this.#tokens = tokens
    this.#known = known
    this.#limits = limits
    this.#blind = blind
  }

  /** `make` is called only when there is room. */
  change(keyLength: number, target: string | undefined, make: () => Change): void {
    const bytes = keyLength + (target?.length ?? 0)
    if (this.#changes.length >= this.#limits.changes || this.#changeBytes + bytes > this.#limits.changeBytes) {
      return this.#once('changes', `more changes than are listed (${this.#changes.length})`)
    }
    this.#changeBytes += bytes
    this.#changes.push(make())
  }

  token(token: string, key: () => string, place: z.infer<typeof SightingPlace>, offset?: number): void {
    const meaning = this.#tokens.get(token)
    if (meaning === undefined) {
      if (this.#known.has(token)) return
      if (this.#foreign.length >= this.#limits.sightings)
        return this.#once('foreign', 'more foreign tokens than are listed')
      this.#foreign.push({ token, path: wire(key()) })
    } else {
      if (this.#sightings.length >= this.#limits.sightings)
        return this.#once('sightings', 'more sightings than are listed')
      const { fixture, site } = meaning
      this.#sightings.push({ site, fixture, path: wire(key()), place, ...(offset === undefined ? {} : { offset }) })
    }
  }

  result(): { changes: Change[]; sightings: Sighting[]; foreignTokens: Observation['foreignTokens'] } {
    return { changes: this.#changes, sightings: this.#sightings, foreignTokens: this.#foreign }
  }

  #once(what: 'changes' | 'sightings' | 'foreign', detail: string): void {
    if (this.#full.has(what)) return
    this.#full.add(what)
    this.#blind.add('entries', detail)
  }
}
