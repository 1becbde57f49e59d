import { buffer } from 'node:stream/consumers'
import { type Entry, fromBufferPromise } from 'yauzl'
import { archiveCaps, oneReading, sizes } from '../rules/archive.ts'
import { type Guard, Refusal } from '../rule.ts'
import type { ArchiveEntry, ReadArchive } from './entry.ts'
import { zipAmbiguity } from './zip-structure.ts'

/** Reads a zip: the library parses, the rules decide how much and whether there is one reading only. */
export async function readZip(guard: Guard, bytes: Buffer): Promise<ReadArchive> {
  const ambiguity = zipAmbiguity(bytes)
  guard.hold(oneReading, ambiguity === undefined, ambiguity ?? '')
  const entries: ArchiveEntry[] = []
  let total = 0
  try {
    // The library's own check of names is off: the rule decides, and can be turned off.
    const zip = await fromBufferPromise(ambiguity === undefined ? bytes : lastDirectory(bytes), {
      decodeStrings: false,
    })
    for await (const entry of zip.eachEntry()) {
      total += entry.uncompressedSize
      guard.hold(sizes, total <= archiveCaps.bytes, `it unpacks to more than ${archiveCaps.bytes} bytes`)
      entries.push(toEntry(entry, await buffer(await zip.openReadStreamPromise(entry))))
    }
    return { entries }
  } catch (error) {
    if (error instanceof Refusal) throw error
    return { entries, failure: error instanceof Error ? error.message : String(error) }
  }
}

/** As a careless reader finds its way in: the last end record counts, whatever stands behind it. */
function lastDirectory(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  if (at < 0 || at + 22 > bytes.length) return bytes
  const whole = Buffer.from(bytes.subarray(0, at + 22))
  whole.writeUInt16LE(0, at + 20)
  return whole
}

function toEntry(entry: Entry, bytes: Buffer): ArchiveEntry {
  const path = entry.fileNameRaw.toString('utf8')
  const unix = entry.externalFileAttributes >>> 16
  const kind = unix & 0o170000
  const mode = unix & 0o7777 || 0o644
  if (kind === 0o120000) return { path, type: 'symlink', mode, target: bytes.toString('utf8'), bytes }
  if (path.endsWith('/')) return { path, type: 'directory', mode, bytes }
  return { path, type: kind === 0 || kind === 0o100000 ? 'file' : 'other', mode, bytes }
}
