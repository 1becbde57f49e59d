import type { AccessEntry } from '@landfall/contracts'
import type { Exchange } from '../mcp/exchange.ts'

/**
 * What a trial's endpoint was asked, in order, up to a limit. A host that asks without end must not fill
 * this server's memory, so later requests are only counted.
 */
export class AccessLog {
  readonly #limit: number
  readonly #now: () => number
  readonly #entries: AccessEntry[] = []
  #dropped = 0
  #legacyClient: string | undefined

  /** @param now milliseconds since the epoch. */
  constructor(limit: number, now: () => number) {
    this.#limit = limit
    this.#now = now
  }

  /**
   * Adds one exchange. A legacy client states its name only in `initialize`, so its later requests carry the
   * name from the last `initialize` of this trial.
   */
  add(exchange: Exchange): void {
    if (exchange.method === 'initialize') this.#legacyClient = exchange.client
    if (this.#entries.length >= this.#limit) {
      this.#dropped += 1
      return
    }
    const client = exchange.client ?? (exchange.era === 'legacy' ? this.#legacyClient : undefined)
    const time = new Date(this.#now()).toISOString()
    this.#entries.push({ time, ...exchange, ...(client === undefined ? {} : { client }) })
  }

  get entries(): AccessEntry[] {
    return [...this.#entries]
  }

  get dropped(): number {
    return this.#dropped
  }
}
