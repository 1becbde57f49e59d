/** Text from outside, made safe to show: quoted, with every character that is not printable ASCII escaped. */
export function quoted(text: string, limit = 120): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}...` : text
  return JSON.stringify(cut).replace(/[^\x20-\x7e]/g, escaped)
}

/** Output of a host, made safe for a terminal: line breaks and tabs stay, what else steers one is escaped. */
export function harmless(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    return character === '\n' || character === '\t' ? character : escaped(character)
  })
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
