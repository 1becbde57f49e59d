/** Text from outside, made safe to show: quoted, with every character that is not printable ASCII escaped. */
export function quoted(text: string, limit = 120): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}...` : text
  return JSON.stringify(cut).replace(/[^\x20-\x7e]/g, escaped)
}

/** Output of a host, made safe for a terminal: line breaks and tabs stay, other controls are escaped. */
export function harmless(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are the point
  return text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
