import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { Parser } from 'tar'
import { fromBufferPromise } from 'yauzl'
import type { ServedArchive } from '../catalogue/served.ts'

/**
 * For tests: reads archives back with readers that share nothing with our builders and refuse no name. What else
 * other readers see in the same bytes is in readers.ts.
 */
export interface UnpackedEntry {
  readonly name: string
  /** In node-tar's words, also for zip: `File`, `Directory`, `SymbolicLink`, `Link`, `FIFO`. */
  readonly type: string
  /** Permission bits with setuid, setgid and sticky. */
  readonly mode: number
  /** Target of a link; for a zip that is also its content. */
  readonly target?: string
  readonly content: Buffer
}

export async function unpack({ format, bytes }: ServedArchive): Promise<UnpackedEntry[]> {
  return format === 'zip' ? await unpackAnyZip(bytes) : await unpackTar(gunzip(bytes), { strict: false })
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

/** @param options `strict` makes an error of what node-tar would only warn of. */
export async function unpackTar(tar: Buffer, options = { strict: true }): Promise<UnpackedEntry[]> {
  const entries: UnpackedEntry[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const parser = new Parser({
    strict: options.strict,
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

/** One that yauzl refuses as a whole is read by a reader that checks less, and tells no modes. */
async function unpackAnyZip(zip: Buffer): Promise<UnpackedEntry[]> {
  try {
    return await unpackZip(zip)
  } catch {
    const files = Object.entries(unzipSync(zip))
    return files.map(([name, content]) => ({ name, type: 'File', mode: 0, content: Buffer.from(content) }))
  }
}

export async function unpackZip(zip: Buffer): Promise<UnpackedEntry[]> {
  // Without decoded strings yauzl checks no name, and we want to see the bad ones.
  const file = await fromBufferPromise(zip, { decodeStrings: false })
  const entries: UnpackedEntry[] = []
  for await (const entry of file.eachEntry()) {
    const unixMode = entry.externalFileAttributes >>> 16
    // Of what nobody can decode, the bytes as they are packed.
    const raw = entry.canDecodeFileData() ? {} : { decodeFileData: false }
    const content = await buffer(await file.openReadStreamPromise(entry, raw))
    const isLink = (unixMode & 0o170000) === 0o120000
    const isDirectory = (unixMode & 0o170000) === 0o040000
    entries.push({
      name: Buffer.from(entry.fileName).toString('utf8'),
      type: isLink ? 'SymbolicLink' : isDirectory ? 'Directory' : 'File',
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
