// @ts-check
/**
 * Names and paths as people can read them. Pure: no DOM.
 *
 * On the wire a name is bytes, with `%XX` for what is not printable ASCII. Here what is UTF-8 is shown as that, and
 * every other byte, and everything that would not be seen, as an escape.
 */
import { pieces } from './characters.js'

/** @typedef {import('./characters.js').Piece} Piece */

/**
 * The bytes of a text in wire form.
 *
 * @param {string} wire
 */
export function wireBytes(wire) {
  const bytes = new Uint8Array(wire.length)
  let length = 0
  for (let at = 0; at < wire.length; at += 1) {
    const isEscape = wire[at] === '%' && /^[0-9A-F]{2}$/.test(wire.slice(at + 1, at + 3))
    bytes[length] = isEscape ? Number.parseInt(wire.slice(at + 1, at + 3), 16) : wire.charCodeAt(at)
    length += 1
    if (isEscape) at += 2
  }
  return bytes.subarray(0, length)
}

/**
 * How many bytes the UTF-8 character at `at` has; 0 when there is none.
 *
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function sequenceLength(bytes, at) {
  const first = bytes[at] ?? 0
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (length === 1) return 1
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(at, at + length))
    return at + length <= bytes.length ? length : 0
  } catch {
    return 0
  }
}

/**
 * Bytes as pieces that can be shown.
 *
 * @param {Uint8Array} bytes
 * @param {string} [allowed]
 * @returns {Piece[]}
 */
export function bytePieces(bytes, allowed = '') {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    return pieces(decoder.decode(bytes), allowed)
  } catch {
    // Some byte is no text: those that are, are found one by one.
  }
  /** @type {Piece[]} */
  const made = []
  let from = 0
  const flush = (/** @type {number} */ to) => {
    if (to > from) made.push(...pieces(decoder.decode(bytes.subarray(from, to)), allowed))
  }
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    flush(at)
    made.push({ kind: 'escape', text: `\\x${(bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')}` })
    at += 1
    from = at
  }
  flush(bytes.length)
  return made
}

/**
 * A name or path in wire form as pieces. Spaces at its ends would not be seen, so they are escapes.
 *
 * @param {string} wire
 * @returns {Piece[]}
 */
export function namePieces(wire) {
  const first = /^ */.exec(wire)?.[0].length ?? 0
  const last = first === wire.length ? 0 : (/ *$/.exec(wire)?.[0].length ?? 0)
  /** @param {number} count @returns {Piece[]} */
  const spaces = (count) => Array.from({ length: count }, () => ({ kind: 'escape', text: '\\x20' }))
  return [...spaces(first), ...bytePieces(wireBytes(wire.slice(first, wire.length - last))), ...spaces(last)]
}

/**
 * Pieces as one text, for titles and messages.
 *
 * @param {readonly Piece[]} made
 */
export function plainText(made) {
  return made.map(({ text }) => text).join('')
}
