import { buffer } from 'node:stream/consumers'
import { ZipArchive } from 'archiver'
import { Header, Pack, ReadEntry } from 'tar'

/**
 * Honest archives, made in memory by the libraries that people use, as a skill's author would make them.
 *
 * Both are deterministic: entries sorted by path, no owner, and a fixed time. The zip stores its entries, so
 * that its digest does not change with a compression library.
 */
export interface HonestFile {
  /** Relative, with forward slashes. */
  readonly path: string
  readonly mode: number
  readonly bytes: Buffer
}

const epoch = new Date(0)
/** The earliest time a zip can hold. */
const dosEpoch = new Date('1980-01-01T00:00:00Z')

function sorted(files: readonly HonestFile[]): HonestFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** A tar.gz of regular files, by node-tar. */
export async function honestTarGz(files: readonly HonestFile[]): Promise<Buffer> {
  const pack = new Pack({ portable: true, gzip: { level: 9 } })
  const packed = pack.concat()
  for (const file of sorted(files)) {
    const header = new Header({ path: file.path, mode: file.mode, size: file.bytes.length, type: 'File', mtime: epoch })
    const entry = new ReadEntry(header)
    pack.add(entry)
    entry.end(file.bytes)
  }
  pack.end()
  return await packed
}

/** A zip of regular files, by archiver. */
export async function honestZip(files: readonly HonestFile[]): Promise<Buffer> {
  const archive = new ZipArchive({ store: true })
  const packed = buffer(archive)
  for (const file of sorted(files)) {
    archive.append(file.bytes, { name: file.path, mode: file.mode, date: dosEpoch })
  }
  await archive.finalize()
  return await packed
}
