import { buffer } from 'node:stream/consumers'
import { Parser } from 'tar'
import { fromBufferPromise } from 'yauzl'

/** Reads the archives of the index revision in memory, as a careful client does: nothing is ever written. */
export interface Unpacked {
  /** Regular files by their names. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly links: readonly string[]
  /** Entries that are neither. */
  readonly others: readonly string[]
}

export async function unpack(mimeType: string, bytes: Buffer): Promise<Unpacked> {
  return mimeType === 'application/zip' ? await unpackZip(bytes) : await unpackTarGz(bytes)
}

async function unpackTarGz(bytes: Buffer): Promise<Unpacked> {
  const reads: Promise<[string, Buffer]>[] = []
  const links: string[] = []
  const others: string[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      if (entry.type === 'File') {
        const { path } = entry
        reads.push(entry.concat().then((content) => [path, content]))
        return
      }
      if (entry.type === 'SymbolicLink' || entry.type === 'Link') links.push(entry.path)
      else if (entry.type !== 'Directory') others.push(entry.path)
      entry.resume()
    },
  })
  parser.on('end', () => resolve())
  parser.on('error', reject)
  parser.end(bytes)
  await promise
  return { files: new Map(await Promise.all(reads)), links, others }
}

const typeMask = 0o170000
const linkType = 0o120000

async function unpackZip(bytes: Buffer): Promise<Unpacked> {
  const files = new Map<string, Buffer>()
  const links: string[] = []
  const archive = await fromBufferPromise(bytes, { strictFileNames: true })
  for await (const entry of archive.eachEntry()) {
    const isLink = ((entry.externalFileAttributes >>> 16) & typeMask) === linkType
    if (isLink) links.push(entry.fileName)
    else if (!entry.fileName.endsWith('/'))
      files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)))
  }
  return { files, links, others: [] }
}
