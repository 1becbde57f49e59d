import { buffer } from 'node:stream/consumers'
import { ZipArchive } from 'archiver'
import { Header, Pack, ReadEntry } from 'tar'

/** Small archives for tests, from name to text. */
export type Files = Readonly<Record<string, string>>

export async function tarGz(files: Files): Promise<Buffer> {
  const pack = new Pack({ portable: true, gzip: true })
  const packed = pack.concat()
  for (const [path, text] of Object.entries(files)) {
    const bytes = Buffer.from(text)
    const entry = new ReadEntry(new Header({ path, mode: 0o644, size: bytes.length, type: 'File', mtime: new Date(0) }))
    pack.add(entry)
    entry.end(bytes)
  }
  pack.end()
  return await packed
}

/** Names are cleaned by the library, so no path of these ever climbs. */
export async function zip(files: Files): Promise<Buffer> {
  const archive = new ZipArchive({ store: true })
  const packed = buffer(archive)
  for (const [name, text] of Object.entries(files)) archive.append(text, { name, mode: 0o644 })
  await archive.finalize()
  return await packed
}
