import type { TarEntry } from './tar.ts'

/**
 * Entries that say something about the entry after them: pax headers (POSIX.1-2001) and the long name of GNU
 * tar. Readers differ in which they know and which they believe, so nothing here keeps them consistent.
 */

/** A pax header about the next entry, or about all that follow when it is global. Records go in as given. */
export function paxHeader(records: Readonly<Record<string, string>>, type: 'pax' | 'globalPax' = 'pax'): TarEntry {
  const content = Buffer.from(
    Object.entries(records)
      .map(([key, value]) => paxRecord(key, value))
      .join(''),
    'utf8',
  )
  return { name: 'PaxHeaders/landfall', type, mode: 0o644, content }
}

/** `<length> <key>=<value>\n`, where the length in bytes counts its own digits too. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  const guess = bytes + String(bytes).length
  const length = bytes + String(guess).length
  return `${length}${rest}`
}

/** GNU tar's way to give the next entry a name that its field cannot hold. */
export function longName(name: string): TarEntry {
  return { name: '././@LongLink', type: 'longName', mode: 0o644, content: Buffer.from(`${name}\0`, 'utf8') }
}
