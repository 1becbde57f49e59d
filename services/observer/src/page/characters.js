// @ts-check
/**
 * Makes every character of a hostile text visible. Pure: no DOM.
 *
 * A text becomes pieces. A plain piece can be shown as it is; an escape stands for one character that would not be
 * seen, would move others about, or is no character at all. Lab tokens are pieces of their own.
 *
 * @typedef {{ kind: 'plain' | 'escape' | 'token', text: string }} Piece
 */

const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
/** Spaces that look like the usual one, or like none. */
const oddSpace = /\p{Zs}/u
const mark = /\p{M}/u
const token = /LFC-[0-9a-f]{32}/g
/** A stack of more marks than any language needs covers the lines around it. */
const mostMarks = 2

/** @type {Readonly<Record<string, string>>} */
const short = { '\0': '\\0', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\x1b': '\\e' }

/**
 * How a character is written when it cannot be shown.
 *
 * @param {string} character
 */
export function escapeOf(character) {
  const known = short[character]
  if (known !== undefined) return known
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16).toUpperCase()
  return code < 0x80 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`
}

/**
 * @param {string} text
 * @param {string} [allowed] Characters that may pass, such as line breaks in a text that is shown in lines.
 * @returns {Piece[]}
 */
export function pieces(text, allowed = '') {
  /** @type {Piece[]} */
  const made = []
  let plain = ''
  let marks = 0
  const flush = () => {
    if (plain !== '') made.push(...withTokens(plain))
    plain = ''
  }
  for (const character of text) {
    marks = mark.test(character) ? marks + 1 : 0
    const isOdd = hidden.test(character) || (character !== ' ' && oddSpace.test(character))
    const stands = marks > 0 && (plain === '' || marks > mostMarks)
    if (allowed.includes(character) || (!isOdd && !stands)) {
      plain += character
      continue
    }
    flush()
    made.push({ kind: 'escape', text: escapeOf(character) })
  }
  flush()
  return made
}

/**
 * @param {string} plain
 * @returns {Piece[]}
 */
function withTokens(plain) {
  /** @type {Piece[]} */
  const made = []
  let from = 0
  for (const { 0: found, index } of plain.matchAll(token)) {
    if (index > from) made.push({ kind: 'plain', text: plain.slice(from, index) })
    made.push({ kind: 'token', text: found })
    from = index + found.length
  }
  if (from < plain.length) made.push({ kind: 'plain', text: plain.slice(from) })
  return made
}
