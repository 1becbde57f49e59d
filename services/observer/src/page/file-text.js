// @ts-check
/**
 * The content of a file as lines of text, or as a hex dump. Pure: no DOM.
 */
import { bytePieces } from './names.js'

/** @typedef {import('./characters.js').Piece} Piece */

/** A text may hold this part of control characters and still be read as one. */
const mostControls = 0.1

/**
 * Whether these bytes are better shown as text than as a hex dump. The last character may be cut off.
 *
 * @param {Uint8Array} bytes
 */
export function looksLikeText(bytes) {
  if (bytes.includes(0)) return false
  let controls = 0
  for (const byte of bytes) if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) controls += 1
  if (controls > bytes.length * mostControls) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, wholeCharacters(bytes)), { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * How many bytes are left when a character that is cut off at the end is taken away.
 *
 * @param {Uint8Array} bytes
 */
function wholeCharacters(bytes) {
  let start = bytes.length
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) start = bytes.length - back
    if (byte < 0x80 || byte >= 0xc0) break
  }
  return start
}

/**
 * Lines as pieces. The line break itself is not shown, any other control is; a tab is a tab.
 *
 * @param {Uint8Array} bytes
 * @param {number} [most]
 * @returns {{ lines: Piece[][], more: number }}
 */
export function textLines(bytes, most = Infinity) {
  /** @type {Piece[][]} */
  const lines = []
  let more = 0
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at)
    const stop = end < 0 ? bytes.length : end
    if (lines.length < most) lines.push(bytePieces(bytes.subarray(at, stop), '\t'))
    else more += 1
    at = stop + 1
  }
  return { lines, more }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} [width] Bytes in a row.
 * @param {number} [most] Rows.
 * @returns {{ rows: { offset: string, hex: string, text: string }[], more: number }}
 */
export function hexDump(bytes, width = 16, most = Infinity) {
  const rows = []
  const all = Math.ceil(bytes.length / width)
  for (let row = 0; row < Math.min(all, most); row += 1) {
    const part = bytes.subarray(row * width, (row + 1) * width)
    const hex = Array.from(part, (byte) => byte.toString(16).padStart(2, '0')).join(' ')
    rows.push({
      offset: (row * width).toString(16).padStart(8, '0'),
      hex: hex.padEnd(width * 3 - 1),
      text: Array.from(part, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join(''),
    })
  }
  return { rows, more: Math.max(0, all - rows.length) }
}
