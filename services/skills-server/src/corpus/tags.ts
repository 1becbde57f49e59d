/**
 * Unicode tag characters: U+E0000 plus an ASCII code. No font shows them, and models read them all the same.
 */
const offset = 0xe0000
const printable = /^[\x20-\x7e]*$/
const tagged = /[\u{e0020}-\u{e007e}]+/gu

/** `text` in tag characters, one for each. @throws RangeError for anything but printable ASCII. */
export function toTags(text: string): string {
  if (!printable.test(text)) throw new RangeError(`Only printable ASCII has tag characters: ${text}`)
  return text.replaceAll(/./g, (character) => String.fromCodePoint(character.charCodeAt(0) + offset))
}

/** What the tag characters in `text` say, run by run. */
export function fromTags(text: string): string[] {
  return (text.match(tagged) ?? []).map((run) =>
    run.replaceAll(/./gu, (character) => String.fromCharCode((character.codePointAt(0) ?? offset) - offset)),
  )
}
