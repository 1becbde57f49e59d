/** Keeps the end of a stream of bytes: whatever a host prints, memory stays bounded. */
export class OutputTail {
  readonly #limit: number
  #chunks: Buffer[] = []
  #size = 0
  #dropped = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    // Joined only now and then: a host may print a million small pieces.
    if (this.#size > this.#limit * 2) this.#trim()
  }

  /** The last bytes as text. Says first how much is missing. */
  toString(): string {
    this.#trim()
    const text = Buffer.concat(this.#chunks).toString('utf8')
    return this.#dropped === 0 ? text : `[${this.#dropped} bytes left out]\n${text}`
  }

  #trim(): void {
    const all = Buffer.concat(this.#chunks)
    const kept = all.subarray(Math.max(0, all.length - this.#limit))
    this.#dropped += all.length - kept.length
    this.#chunks = [kept]
    this.#size = kept.length
  }
}
