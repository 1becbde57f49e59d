/**
 * Decodes what an inotify descriptor gives: `int wd; uint32 mask, cookie, length; char name[length]`, one after
 * another, the name padded with NULs.
 */
export type OnRawEvent = (wd: number, mask: number, cookie: number, name: string) => void

const header = 16

/**
 * Calls `each` for every whole event in the first `length` bytes; `name` is bytes in latin1, empty when the event is
 * about the watched thing itself. Answers the bytes used, which is `length` for anything that a kernel wrote.
 */
export function decodeEvents(bytes: Buffer, length: number, each: OnRawEvent): number {
  let at = 0
  while (at + header <= length) {
    const size = bytes.readUInt32LE(at + 12)
    const next = at + header + size
    if (next > length) return at
    let name = ''
    if (size > 0) {
      const end = bytes.indexOf(0, at + header)
      name = bytes.toString('latin1', at + header, end < 0 || end > next ? next : end)
    }
    each(bytes.readInt32LE(at), bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8), name)
    at = next
  }
  return at
}
