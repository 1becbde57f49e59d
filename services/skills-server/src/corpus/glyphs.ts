/** Letters of five by seven dots, row by row from the top, five bits a row: enough to write a sentence with. */
const rows: Readonly<Record<string, string>> = {
  ' ': '00 00 00 00 00 00 00',
  '.': '00 00 00 00 00 0c 0c',
  ':': '00 0c 0c 00 0c 0c 00',
  A: '0e 11 11 1f 11 11 11',
  B: '1e 11 11 1e 11 11 1e',
  C: '0e 11 10 10 10 11 0e',
  D: '1e 11 11 11 11 11 1e',
  E: '1f 10 10 1e 10 10 1f',
  F: '1f 10 10 1e 10 10 10',
  G: '0e 11 10 17 11 11 0f',
  H: '11 11 11 1f 11 11 11',
  I: '0e 04 04 04 04 04 0e',
  L: '10 10 10 10 10 10 1f',
  M: '11 1b 15 15 11 11 11',
  N: '11 19 15 13 11 11 11',
  O: '0e 11 11 11 11 11 0e',
  P: '1e 11 11 1e 10 10 10',
  R: '1e 11 11 1e 14 12 11',
  S: '0f 10 10 0e 01 01 1e',
  T: '1f 04 04 04 04 04 04',
  U: '11 11 11 11 11 11 0e',
  V: '11 11 11 11 11 0a 04',
  Y: '11 11 0a 04 04 04 04',
}

export const glyphWidth = 5
export const glyphHeight = 7
/** From the left edge of one letter to that of the next. */
export const advance = glyphWidth + 1

/** Seven rows of five bits, the leftmost dot in the highest bit. @throws RangeError for a letter that is not there. */
export function glyphOf(letter: string): number[] {
  const glyph = rows[letter]
  if (glyph === undefined) throw new RangeError(`No glyph for ${letter}`)
  return glyph.split(' ').map((row) => Number.parseInt(row, 16))
}

/** The letter that has these rows, if there is one. */
export function letterOf(glyph: readonly number[]): string | undefined {
  const wanted = glyph.map((row) => row.toString(16).padStart(2, '0')).join(' ')
  return Object.keys(rows).find((letter) => rows[letter] === wanted)
}

/** Whether the dot at `x`, `y` of a line of text is set. */
export function dotOf(text: string, x: number, y: number): boolean {
  const letter = text[Math.floor(x / advance)]
  const column = x % advance
  if (letter === undefined || column >= glyphWidth || y >= glyphHeight) return false
  return (((glyphOf(letter)[y] ?? 0) >> (glyphWidth - 1 - column)) & 1) === 1
}
