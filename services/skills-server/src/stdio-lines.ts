import type { TransformCallback } from 'node:stream'
import { Transform } from 'node:stream'

/**
 * Lets the lines of stdin pass, and tells of those that are no JSON: the SDK drops them without a word, and the
 * client would wait for an answer that never comes.
 */
const newline = 0x0a
/** What the SDK takes as one message. A longer line goes on to it in parts, and it says that it is too long. */
const maxLineBytes = 10 * 1024 * 1024

export class JsonLines extends Transform {
  readonly #onGarbage: () => void
  #parts: Buffer[] = []
  #held = 0

  constructor(onGarbage: () => void) {
    super()
    this.#onGarbage = onGarbage
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#hold(chunk.subarray(start, end + 1))
      this.#endLine()
      start = end + 1
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start))
    if (this.#held > maxLineBytes) this.push(this.#taken())
    done()
  }

  override _flush(done: TransformCallback): void {
    // A last line without an end is no message for the SDK either.
    if (this.#held > 0 && !isJson(this.#taken())) this.#onGarbage()
    done()
  }

  #hold(part: Buffer): void {
    this.#parts.push(part)
    this.#held += part.length
  }

  #taken(): Buffer {
    const whole = Buffer.concat(this.#parts)
    this.#parts = []
    this.#held = 0
    return whole
  }

  #endLine(): void {
    const line = this.#taken()
    if (line.toString('utf8').trim() === '') return
    if (isJson(line)) this.push(line)
    else this.#onGarbage()
  }
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString('utf8'))
    return true
  } catch {
    return false
  }
}
