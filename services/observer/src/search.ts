import { tokenLength, tokenPrefix } from '@landfall/contracts'

/** Finds lab tokens in bytes that arrive in chunks, wherever the chunks are cut. */

const prefix = Buffer.from(tokenPrefix, 'latin1')
const hex = /^[0-9a-f]+$/

/** Told of every token, again for every further occurrence. */
export type OnToken = (token: string, offset: number) => void

/** Every token that lies whole in `bytes`. */
export function findTokens(bytes: Buffer, onToken: OnToken): void {
  for (let at = bytes.indexOf(prefix); at >= 0; at = bytes.indexOf(prefix, at + prefix.length)) {
    if (at + tokenLength > bytes.length) return
    // Most prefixes that start no token are told apart here, before any text is made.
    if (!isHex(bytes[at + prefix.length]) || !isHex(bytes[at + tokenLength - 1])) continue
    const token = bytes.toString('latin1', at, at + tokenLength)
    if (hex.test(token.slice(prefix.length))) onToken(token, at)
  }
}

function isHex(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66))
}

/**
 * Keeps the first offset of each token. Known ones are always kept; of others only as many as `mostForeign`,
 * so that a file full of made-up tokens neither fills the memory nor crowds out a real one.
 */
export class TokenStream {
  readonly found = new Map<string, number>()
  readonly #known: { has(token: string): boolean }
  readonly #mostForeign: number
  #foreign = 0
  #tail: Buffer = Buffer.alloc(0)
  #offset = 0

  constructor(known: { has(token: string): boolean }, mostForeign: number) {
    this.#known = known
    this.#mostForeign = mostForeign
  }

  /** Feed the chunks in order. The chunk may be reused afterwards. */
  feed(chunk: Buffer): void {
    const keep = tokenLength - 1
    if (this.#tail.length > 0) {
      // A token that starts in the tail ends within its own length, so this much of the chunk is enough.
      const seam = Buffer.concat([this.#tail, chunk.subarray(0, keep)])
      this.#search(seam, this.#offset - this.#tail.length)
    }
    this.#search(chunk, this.#offset)
    this.#offset += chunk.length
    const end = chunk.length >= keep ? chunk : Buffer.concat([this.#tail, chunk])
    this.#tail = Buffer.from(end.subarray(Math.max(0, end.length - keep)))
  }

  /** Steps over bytes that cannot hold a token. */
  gap(bytes: number): void {
    this.#offset += bytes
    this.#tail = Buffer.alloc(0)
  }

  #search(bytes: Buffer, base: number): void {
    findTokens(bytes, (token, at) => {
      if (this.found.has(token)) return
      if (!this.#known.has(token) && (this.#foreign += 1) > this.#mostForeign) return
      this.found.set(token, base + at)
    })
  }
}
