import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { gunzip, unpack } from '../unpack.ts'
import type { ArchiveEntry } from './survey.ts'
import { measured } from './survey.ts'

/** Everything that is in an archive, also for readers that go on where others have stopped. */
export async function entriesIn(bytes: Buffer): Promise<ArchiveEntry[]> {
  const format = bytes.subarray(0, 2).toString('latin1') === 'PK' ? 'zip' : 'tar.gz'
  const unpacked = await unpack({ format, bytes })
  const entries = unpacked.map(({ content, ...entry }) => ({ ...entry, ...measured(content) }))
  return format === 'zip' ? entries : [...entries, ...(await entriesAfterEnd(gunzip(bytes), entries))]
}

/** Larger ones end where they say, and would cost too much to read twice. */
const maxBytes = 1024 * 1024

/** Of a tar that goes on after its end mark, what comes there; nothing where the two readers differ before it. */
async function entriesAfterEnd(tar: Buffer, known: readonly ArchiveEntry[]): Promise<ArchiveEntry[]> {
  if (tar.length > maxBytes) return []
  const all = await tarStreamEntries(tar)
  const same = known.every(({ name }, index) => all[index]?.name === name)
  return same ? all.slice(known.length) : []
}

async function tarStreamEntries(tar: Buffer): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  const reader = extract()
  reader.end(tar)
  try {
    for await (const entry of reader) {
      const { name, mode } = entry.header
      entries.push({ name, type: 'File', mode, ...measured(await buffer(entry)) })
    }
  } catch {
    // It refuses bad headers; what it has seen until then is all that it would install.
  }
  return entries
}
