import { crc32, gunzipSync, inflateRawSync } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import { archiveCaps, oneReading, sizes } from '../rules/archive.ts'
import { Refusal, type Guard } from '../rule.ts'
import type { ArchiveEntry, ReadArchive } from './entry.ts'
import { ambiguityOf } from './tar-structure.ts'

/** Reads a tar.gz: the library parses, the rules decide how much and whether there is one reading only. */
export async function readTarGz(guard: Guard, bytes: Buffer): Promise<ReadArchive> {
  const tar = unzip(guard, bytes)
  const ambiguity = ambiguityOf(tar)
  guard.hold(oneReading, ambiguity === undefined, ambiguity ?? '')
  const entries: ArchiveEntry[] = []
  let failure: string | undefined
  const open: Promise<void>[] = []
  const parser = new Parser({
    onReadEntry: (entry) => {
      open.push(collect(entry, entries))
    },
    onwarn: (_code, message) => (failure ??= message),
  })
  await new Promise<void>((resolve) => {
    parser.on('end', resolve)
    parser.end(tar)
  })
  await Promise.all(open)
  return { entries, ...(failure === undefined ? {} : { failure }) }
}

const kinds: Readonly<Record<string, ArchiveEntry['type']>> = {
  File: 'file',
  OldFile: 'file',
  Directory: 'directory',
  SymbolicLink: 'symlink',
  Link: 'link',
  FIFO: 'fifo',
}

async function collect(entry: ReadEntry, entries: ArchiveEntry[]): Promise<void> {
  // Its place is taken before its content is read: the order of entries matters.
  const index = entries.length
  const { path, mode = 0o644, linkpath } = entry
  const type = kinds[entry.type] ?? 'other'
  const found = { path, type, mode, ...(linkpath === undefined ? {} : { target: linkpath }), bytes: Buffer.alloc(0) }
  entries.push(found)
  entries[index] = { ...found, bytes: await entry.concat() }
}

/** A gzip file of one member, within the limit. Further members and anything else behind it are another reading. */
function unzip(guard: Guard, bytes: Buffer): Buffer {
  const most = guard.on(sizes) ? archiveCaps.bytes : 512 * 1024 * 1024
  try {
    const start = headerLength(bytes)
    if (start === undefined) return gunzipSync(bytes, { maxOutputLength: most })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `info` adds is missing in the types
    const { buffer: tar, engine } = inflateRawSync(bytes.subarray(start), {
      maxOutputLength: most,
      info: true,
    }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    const end = start + engine.bytesWritten
    const whole = bytes.length === end + 8 && bytes.readUInt32LE(end) === crc32(tar)
    guard.hold(oneReading, whole, 'something follows the gzip member, or its checksum is wrong')
    return whole ? tar : gunzipSync(bytes, { maxOutputLength: most })
  } catch (error) {
    if (error instanceof Refusal) throw error
    const tooLarge = error instanceof RangeError
    throw new Refusal(
      tooLarge ? sizes : oneReading,
      tooLarge ? `it unpacks to more than ${most} bytes` : `it is no gzip file: ${String(error)}`,
    )
  }
}

/** Of the plain header that packers write; undefined for one with extra fields. */
function headerLength(bytes: Buffer): number | undefined {
  if (bytes.length < 18 || bytes.readUInt16BE(0) !== 0x1f8b || bytes[2] !== 8) return undefined
  const flags = bytes[3] ?? 0
  if ((flags & ~0x08) !== 0) return undefined
  return flags === 0 ? 10 : bytes.indexOf(0, 10) + 1
}
