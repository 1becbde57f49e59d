import type { SentSighting } from '@landfall/contracts'

/**
 * Finds tokens in what was sent: as they are, percent-encoded once or twice, in base64 (either alphabet, wherever
 * the token stands in what was encoded) and in hexadecimal. Compression and encryption are not undone.
 *
 * The time is linear in the size of the text.
 */
export type Encoding = SentSighting['as']

export interface FoundToken {
  /** In the form in which it was derived: upper-case prefix, lower-case digits. */
  readonly token: string
  readonly as: Encoding
}

const plainToken = /LFC-[0-9a-f]{32}/gi
/** `LFC-` in base64, at each of the three places it can have in a group. */
const base64Marks = /TEZDL|xGQy|MRkMt/g
/** Characters between the start of the group and the mark. */
const base64Lead: Readonly<Record<string, number>> = { TEZDL: 0, xGQy: 2, MRkMt: 3 }
/** A token and up to two bytes in front of it, in whole groups. */
const base64Length = 52
const hexToken = /4c46432d(?:3[0-9]|6[1-6]|4[1-6]){32}/gi

/** Longest form of a token that is looked for: each of its 36 characters percent-encoded twice (`%254C`). */
export const longestForm = 36 * 5

/** @param text one character a byte. */
export function findTokens(text: string): FoundToken[] {
  const found = new Map<string, FoundToken>()
  const add = (texts: Iterable<string>, as: Encoding) => {
    for (const each of texts) {
      const token = canonical(each)
      if (!found.has(token)) found.set(token, { token, as })
    }
  }
  add(plainIn(text), 'plain')
  for (let decoded = percentDecoded(text), before = text, round = 0; round < 2 && decoded !== before; round += 1) {
    add(plainIn(decoded), 'percent')
    before = decoded
    decoded = percentDecoded(decoded)
  }
  add(base64In(text), 'base64')
  add(hexIn(text), 'hex')
  return [...found.values()]
}

const plainIn = (text: string): string[] => text.match(plainToken) ?? []

function canonical(token: string): string {
  return token.slice(0, 4).toUpperCase() + token.slice(4).toLowerCase()
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

function base64In(text: string): string[] {
  return [...text.matchAll(base64Marks)].flatMap(({ 0: mark, index }) => {
    const start = index - (base64Lead[mark] ?? 0)
    if (start < 0) return []
    return plainIn(Buffer.from(text.slice(start, start + base64Length), 'base64').toString('latin1'))
  })
}

function hexIn(text: string): string[] {
  return (text.match(hexToken) ?? []).map((digits) => Buffer.from(digits, 'hex').toString('latin1'))
}

/** Looks for tokens in something that comes in pieces, without keeping more of it than a token is long. */
export class TokenScanner {
  #tail = ''
  readonly #found = new Map<string, FoundToken>()

  add(piece: Uint8Array): void {
    const text = this.#tail + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
    for (const found of findTokens(text)) if (!this.#found.has(found.token)) this.#found.set(found.token, found)
    this.#tail = text.slice(-longestForm)
  }

  get found(): FoundToken[] {
    return [...this.#found.values()]
  }
}
