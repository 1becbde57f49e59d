/**
 * Counts hits by key in windows of a fixed length, each from the key's first hit on. Keeps no key for longer
 * than two lengths: those that were not heard of for one are dropped together, so that nothing is searched.
 */
interface Count {
  hits: number
  readonly resetsAt: number
}

export class Window {
  readonly #lengthMs: number
  readonly #now: () => number
  #recent = new Map<string, Count>()
  #older = new Map<string, Count>()
  #turnsAt: number

  /** @param now milliseconds since the epoch. */
  constructor(lengthMs: number, now: () => number) {
    this.#lengthMs = lengthMs
    this.#now = now
    this.#turnsAt = now() + lengthMs
  }

  /** Counts one more, and says how many there are in the key's window and when it ends. */
  hit(key: string): { readonly hits: number; readonly resetsInMs: number } {
    const time = this.#now()
    if (time >= this.#turnsAt) this.#turn(time)
    const known = this.#recent.get(key) ?? this.#older.get(key)
    const count = known !== undefined && time < known.resetsAt ? known : { hits: 0, resetsAt: time + this.#lengthMs }
    count.hits += 1
    this.#recent.set(key, count)
    return { hits: count.hits, resetsInMs: count.resetsAt - time }
  }

  /** Keys that are remembered. */
  get size(): number {
    return new Set([...this.#recent.keys(), ...this.#older.keys()]).size
  }

  #turn(time: number): void {
    // What was heard of in the last window may still count; everything older is over.
    this.#older = time < this.#turnsAt + this.#lengthMs ? this.#recent : new Map<string, Count>()
    this.#recent = new Map()
    this.#turnsAt = time + this.#lengthMs
  }
}
