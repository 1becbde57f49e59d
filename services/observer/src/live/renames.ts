/**
 * Joins the two halves of a rename by their cookie. Other events may stand between them, and one half may lie outside
 * of what is watched. Pure.
 */
export interface Half<T> {
  readonly from: T
  readonly sinceMs: number
}

export class Renames<T> {
  readonly #waiting = new Map<number, Half<T>>()
  readonly #patienceMs: number

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  /** The first half. Answers an earlier one of the same cookie, which has lost its second half. */
  left(cookie: number, from: T, nowMs: number): T | undefined {
    const before = this.#waiting.get(cookie)
    this.#waiting.set(cookie, { from, sinceMs: nowMs })
    return before?.from
  }

  /** The second half: answers the first, or undefined when it came from elsewhere. */
  arrived(cookie: number): T | undefined {
    const half = this.#waiting.get(cookie)
    this.#waiting.delete(cookie)
    return half?.from
  }

  /** First halves that have waited too long: those things have left what is watched. */
  expired(nowMs: number): T[] {
    const gone: T[] = []
    for (const [cookie, { from, sinceMs }] of this.#waiting) {
      if (nowMs - sinceMs < this.#patienceMs) break
      this.#waiting.delete(cookie)
      gone.push(from)
    }
    return gone
  }

  get size(): number {
    return this.#waiting.size
  }
}
