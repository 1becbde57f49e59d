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

/** A symbolic link, as the tools of an author pack it who has one in the folder. */
export interface HonestLink {
  readonly path: string
  /** Where it leads, relative to its own folder. */
  readonly target: string
}

const nothing = Buffer.alloc(0)
const epoch = new Date(0)
/** The earliest time a zip can hold. */
const dosEpoch = new Date('1980-01-01T00:00:00Z')

type HonestEntry = HonestFile | HonestLink

function sorted(entries: readonly HonestEntry[]): HonestEntry[] {
  return entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** A tar.gz of regular files, and links where there are any, by node-tar. */
export async function honestTarGz(entries: readonly HonestEntry[]): Promise<Buffer> {
  const pack = new Pack({ portable: true, gzip: { level: 9 } })
  const packed = pack.concat()
  for (const each of sorted(entries)) {
    const entry = new ReadEntry(tarHeader(each))
    pack.add(entry)
    entry.end('target' in each ? nothing : each.bytes)
  }
  pack.end()
  return await packed
}

function tarHeader(entry: HonestEntry): Header {
  const { path } = entry
  if ('target' in entry) {
    return new Header({ path, mode: 0o777, size: 0, type: 'SymbolicLink', linkpath: entry.target, mtime: epoch })
  }
  return new Header({ path, mode: entry.mode, size: entry.bytes.length, type: 'File', mtime: epoch })
}

/** A zip of the same, by archiver. */
export async function honestZip(entries: readonly HonestEntry[]): Promise<Buffer> {
  const archive = new ZipArchive({ store: true })
  const packed = buffer(archive)
  for (const entry of sorted(entries)) {
    if ('target' in entry) appendLink(archive, entry)
    else archive.append(entry.bytes, { name: entry.path, mode: entry.mode, date: dosEpoch })
  }
  await archive.finalize()
  return await packed
}

/** Through `append`, because the library's own `symlink` stamps the present time. */
function appendLink(archive: ZipArchive, { path, target }: HonestLink): void {
  const link = { name: path, type: 'symlink', linkname: target, mode: 0o120777, date: dosEpoch } as const
  archive.append(nothing, link)
}
