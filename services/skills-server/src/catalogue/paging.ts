import type { Page } from './served.ts'

/**
 * Honest pages: cursors are opaque, stay valid as long as the list does not change, and mean nothing to any
 * other list. There is no state behind one.
 */
export const pageSize = 100

/** @throws InvalidCursor for whatever was not handed out by this very list. */
export function honestPager(list: string, size = pageSize) {
  return <Item>(cursor: string | undefined, items: readonly Item[]): Page<Item> => {
    const start = cursor === undefined ? 0 : offsetOf(list, cursor, items.length)
    const end = start + size
    const page = { items: items.slice(start, end) }
    return end < items.length ? { ...page, nextCursor: cursorAt(list, end) } : page
  }
}

export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor'
}

function cursorAt(list: string, offset: number): string {
  return Buffer.from(`${offset} ${list}`, 'utf8').toString('base64url')
}

function offsetOf(list: string, cursor: string, length: number): number {
  // Longer than any of ours, and not worth decoding.
  if (cursor.length > 16 + 2 * list.length) throw new InvalidCursor()
  const offset = Number.parseInt(Buffer.from(cursor, 'base64url').toString('utf8'), 10)
  // Written again, so that a second spelling of the same place is none of ours.
  if (!(offset > 0 && offset < length) || cursorAt(list, offset) !== cursor) throw new InvalidCursor()
  return offset
}
