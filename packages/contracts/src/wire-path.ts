/**
 * The wire form of a path: its bytes as text, every byte that is not printable ASCII, and the percent sign,
 * as `%XX` with upper-case digits. Loss-free both ways.
 */
const percent = 0x25

export function toWirePath(path: Uint8Array): string {
  let text = ''
  for (const byte of path) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== percent
    text += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return text
}

/** The bytes of a path in wire form. Text that is not in wire form yields bytes of its own, never an error. */
export function fromWirePath(wire: string): Buffer {
  const parts = wire.split(/(%[0-9A-F]{2})/)
  return Buffer.concat(
    parts.map((part) =>
      /^%[0-9A-F]{2}$/.test(part) ? Buffer.from([Number.parseInt(part.slice(1), 16)]) : Buffer.from(part, 'utf8'),
    ),
  )
}
