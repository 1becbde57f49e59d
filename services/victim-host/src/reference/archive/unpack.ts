import { posix } from 'node:path'
import type { ArchiveFormat } from '@landfall/contracts'
import type { Disk } from '../disk.ts'
import { checkEntries } from '../rules/archive.ts'
import { whole } from '../rules/window.ts'
import type { Guard } from '../rule.ts'
import type { ArchiveEntry } from './entry.ts'
import { readTarGz } from './read-tar.ts'
import { readZip } from './read-zip.ts'

/**
 * Reads a whole archive, checks all of it, and only then lets anything be written (iH4).
 *
 * @throws Refusal
 */
export async function readArchive(guard: Guard, format: ArchiveFormat, bytes: Buffer): Promise<ArchiveEntry[]> {
  const { entries, failure } = await (format === 'zip' ? readZip(guard, bytes) : readTarGz(guard, bytes))
  guard.hold(whole, failure === undefined, `the archive cannot be read to its end: ${failure ?? ''}`)
  return checkEntries(guard, entries)
}

/** Writes entries in their order. With all rules on, none of them leads anywhere but below `folder`. */
export function writeEntries(disk: Disk, folder: string, entries: readonly ArchiveEntry[]): void {
  disk.makeFolder(folder)
  for (const entry of entries) {
    try {
      writeEntry(disk, folder, entry)
    } catch {
      // As careless extractors do: the next entry may still land. With all rules on there is nothing to fail.
    }
  }
}

function writeEntry(disk: Disk, folder: string, { path, type, mode, target = '', bytes }: ArchiveEntry): void {
  // Windows names too, as under Wine: the drive is a folder of the user's.
  const plain = path.replace(/^([A-Za-z]):/, '/home/agent/.wine/drive_$1').replaceAll('\\', '/')
  const place = plain.startsWith('/') ? plain : posix.join(folder, plain)
  switch (type) {
    case 'directory':
      return disk.makeFolder(place)
    case 'symlink':
      return disk.symlink(target, place)
    case 'link':
      return disk.link(target.startsWith('/') ? target : posix.join(folder, target), place)
    case 'fifo':
      return disk.fifo(place)
    case 'file':
      return disk.write(place, bytes, (mode & 0o7000) | ((mode & 0o111) === 0 ? 0o444 : 0o555))
    case 'other':
      return undefined
  }
}
