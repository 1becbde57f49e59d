import { unpack } from '../unpack.ts'
import type { ArchiveEntry } from './survey.ts'
import { measured } from './survey.ts'

/** What is in an archive, for a reader that goes on after what is wrong and stops at the end. */
export async function entriesIn(bytes: Buffer): Promise<ArchiveEntry[]> {
  const format = bytes.subarray(0, 2).toString('latin1') === 'PK' ? 'zip' : 'tar.gz'
  const entries = await unpack({ format, bytes })
  return entries.map(({ content, ...entry }) => ({ ...entry, ...measured(content) }))
}
