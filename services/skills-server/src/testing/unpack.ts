import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { Parser } from 'tar'
import { fromBufferPromise } from 'yauzl'
import type { ServedArchive } from '../catalogue/served.ts'

/**
 * For tests: reads archives back with readers that share nothing with our builders and refuse no name.
 */
export interface UnpackedEntry {
  readonly name: string
  /** In node-tar's words, also for zip: `File`, `SymbolicLink`, `Link`, `FIFO`. */
  readonly type: string
  /** Permission bits with setuid, setgid and sticky. */
  readonly mode: number
  /** Target of a link; for a zip that is also its content. */
  readonly target?: string
  readonly content: Buffer
}

export async function unpack({ format, bytes }: ServedArchive): Promise<UnpackedEntry[]> {
  return format === 'zip' ? await unpackZip(bytes) : await unpackTar(gunzip(bytes))
}

/** In large steps: some of our archives unpack to many mebibytes. */
export function gunzip(bytes: Buffer): Buffer {
  return gunzipSync(bytes, { chunkSize: 4 * 1024 * 1024 })
}

/** One after the other, so that two large archives are never in memory at once. */
export async function unpackAll(archives: readonly ServedArchive[]): Promise<UnpackedEntry[][]> {
  const unpacked: UnpackedEntry[][] = []
  for (const archive of archives) unpacked.push(await unpack(archive))
  return unpacked
}

export async function unpackTar(tar: Buffer): Promise<UnpackedEntry[]> {
  const entries: UnpackedEntry[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const { path, type, mode = 0, linkpath } = entry
      const target = linkpath === undefined || linkpath === '' ? {} : { target: linkpath }
      const chunks: Buffer[] = []
      entry.on('data', (chunk) => void chunks.push(chunk))
      entry.on('end', () => {
        const content = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
        entries.push({ name: path, type, mode, ...target, content })
      })
    },
  })
  parser.on('end', () => resolve())
  parser.on('error', reject)
  parser.end(tar)
  await promise
  return entries
}

export async function unpackZip(zip: Buffer): Promise<UnpackedEntry[]> {
  // Without decoded strings yauzl checks no name, and we want to see the bad ones.
  const file = await fromBufferPromise(zip, { decodeStrings: false })
  const entries: UnpackedEntry[] = []
  for await (const entry of file.eachEntry()) {
    const unixMode = entry.externalFileAttributes >>> 16
    const content = await buffer(await file.openReadStreamPromise(entry))
    const isLink = (unixMode & 0o170000) === 0o120000
    entries.push({
      name: Buffer.from(entry.fileName).toString('utf8'),
      type: isLink ? 'SymbolicLink' : 'File',
      mode: unixMode & 0o7777,
      ...(isLink ? { target: content.toString('utf8') } : {}),
      content,
    })
  }
  return entries
}

/** The content of `name`; the last one where an archive holds the name more than once. */
export function contentOf(entries: readonly UnpackedEntry[], name: string): string {
  const entry = entries.findLast((candidate) => candidate.name === name)
  if (entry === undefined) throw new Error(`No entry ${name} among ${entries.map((each) => each.name).join(', ')}`)
  return entry.content.toString('utf8')
}
