import type { CorpusLink } from '@landfall/catalog'
import type { HonestFile } from '../archive/honest.ts'
import { honestTarGz, honestZip } from '../archive/honest.ts'
import type { ServedArchive } from '../catalogue/served.ts'

/** The archive forms of an ordinary skill for the index revision (iS11 to iS13). */

/** Bytes of files up to which a skill is also offered in archives: the limit of the extension (fact sheet B2). */
export const maxArchivedBytes = 16 * 1024 * 1024

/** Both forms of the same files, each with `links` in addition. None when an archive could not hold them as they are. */
export async function archivesOf(
  files: readonly HonestFile[],
  links: readonly CorpusLink[] = [],
): Promise<ServedArchive[]> {
  if (!isArchivable(files)) return []
  const entries = [...files, ...links]
  const [targz, zip] = await Promise.all([honestTarGz(entries), honestZip(entries)])
  return [
    { format: 'tar.gz', bytes: targz },
    { format: 'zip', bytes: zip },
  ]
}

/** iS12: in an archive a backslash would become a separator, so the form would differ from the files. */
export function isArchivable(files: readonly HonestFile[]): boolean {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return size <= maxArchivedBytes && files.every(({ path }) => !path.includes('\\') && path.isWellFormed())
}
