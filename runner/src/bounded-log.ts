import { Writable } from 'node:stream'

/** Keeps the first `limit` bytes of a stream and counts the rest: a payload may print without end. */
export class BoundedLog extends Writable {
  readonly #chunks: Buffer[] = []
  readonly #limit: number
  #kept = 0
  #dropped = 0

  constructor(limit = 256 * 1024) {
    super()
    this.#limit = limit
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const part = chunk.subarray(0, Math.max(0, this.#limit - this.#kept))
    if (part.length > 0) this.#chunks.push(part)
    this.#kept += part.length
    this.#dropped += chunk.length - part.length
    done()
  }

  get text(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8')
    return this.#dropped === 0 ? text : `${text}\n[${this.#dropped} more bytes were not kept]\n`
  }
}
