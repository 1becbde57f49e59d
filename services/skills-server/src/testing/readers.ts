import { buffer } from 'node:stream/consumers'
import { inflateRawSync } from 'node:zlib'
import { Unzip, UnzipInflate, unzipSync } from 'fflate'
import { Parser } from 'tar'
import { extract } from 'tar-stream'
import { fromBufferPromise } from 'yauzl'

/**
 * For tests: many readers of the same bytes, each with its own habits. A view is what an extractor that goes from
 * entry to entry and writes each leaves behind: names with their content, the last one where a name comes twice.
 */
export type View = ReadonlyMap<string, string>

export type Reader = (archive: Buffer) => View | Promise<View>

/** node-tar: goes on after a bad header, stops at the end mark, lets the long name of GNU win over pax. */
export const nodeTar: Reader = async (tar) => {
  const view = new Map<string, string>()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const parser = new Parser({
    onReadEntry: (entry) => {
      const chunks: Buffer[] = []
      entry.on('data', (chunk) => void chunks.push(chunk))
      entry.on('end', () => void view.set(entry.path, Buffer.concat(chunks).toString('latin1')))
    },
  })
  parser.on('end', () => resolve())
  parser.on('error', reject)
  parser.end(tar)
  await promise
  return view
}

/** tar-stream: refuses a bad header, goes on after the end mark, lets pax win. */
export const tarStream: Reader = async (tar) => {
  const view = new Map<string, string>()
  const reader = extract()
  reader.end(tar)
  for await (const entry of reader) view.set(entry.header.name, (await buffer(entry)).toString('latin1'))
  return view
}

/**
 * POSIX ustar of 1988 and nothing else, which small readers on small systems still are: every header is taken as
 * it stands, its checksum unread, and a type that it does not know is an ordinary file.
 */
export const plainUstar: Reader = (tar) => {
  const view = new Map<string, string>()
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const name = tar.toString('utf8', at, tar.indexOf(0, at))
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    view.set(name, tar.toString('latin1', at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return view
}

/**
 * Pax as POSIX has it, global headers included, and a silent end at whatever is not a header: the habits of
 * Python's tarfile, which the naive host is made of.
 */
export const posixPax: Reader = (tar) => {
  const view = new Map<string, string>()
  const global = new Map<string, string>()
  let own = new Map<string, string>()
  for (let at = 0; isHeader(tar.subarray(at, at + 512));) {
    const type = tar.toString('latin1', at + 156, at + 157)
    const field = (name: string) => own.get(name) ?? global.get(name)
    const isPax = type === 'x' || type === 'g'
    const stated = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    const size = isPax ? stated : Number(field('size') ?? stated)
    const content = tar.toString('latin1', at + 512, at + 512 + size)
    if (isPax) for (const [key, value] of paxRecords(content)) (type === 'g' ? global : own).set(key, value)
    else {
      view.set(field('path') ?? tar.toString('utf8', at, tar.indexOf(0, at)), content)
      own = new Map()
    }
    at += 512 + Math.ceil(size / 512) * 512
  }
  return view
}

/** The sum of a header counts its own field as spaces. */
function isHeader(block: Buffer): boolean {
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  return block.length === 512 && Number.parseInt(block.toString('latin1', 148, 155), 8) === sum
}

function paxRecords(content: string): [string, string][] {
  return content
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [key = '', value = ''] = line.slice(line.indexOf(' ') + 1).split('=', 2)
      return [key, value]
    })
}

/** The first gzip member and not one byte more. */
export function firstMember(gzipped: Buffer): Buffer {
  // Our gzip headers have no optional fields.
  return inflateRawSync(gzipped.subarray(10))
}

/** yauzl: goes by the central directory, counts offsets from the beginning, knows the Unicode path, checks lengths. */
export const centralStrict: Reader = async (zip) => {
  const file = await fromBufferPromise(zip)
  const view = new Map<string, string>()
  for await (const entry of file.eachEntry()) {
    const content = await buffer(await file.openReadStreamPromise(entry))
    view.set(entry.fileName, content.toString('latin1'))
  }
  return view
}

/** fflate, whole: goes by the last end record there is, and checks no length. */
export const centralLax: Reader = (zip) =>
  new Map(Object.entries(unzipSync(zip)).map(([name, content]) => [name, Buffer.from(content).toString('latin1')]))

/** fflate, streaming: goes from local header to local header. */
export const byLocalHeaders: Reader = (zip) => {
  const parts = new Map<string, Buffer[]>()
  const reader = new Unzip((file) => {
    const chunks: Buffer[] = []
    parts.set(file.name, chunks)
    file.ondata = (error, chunk) => {
      if (error === null) chunks.push(Buffer.from(chunk))
    }
    file.start()
  })
  reader.register(UnzipInflate)
  reader.push(zip, true)
  return new Map([...parts].map(([name, chunks]) => [name, Buffer.concat(chunks).toString('latin1')]))
}
