import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { GitObject } from './objects.ts'

/** A pack file of whole objects (gitformat-pack): a header, each object deflated, and a SHA-1 of all that. */
export function packOf(objects: readonly GitObject[]): Buffer {
  const header = Buffer.alloc(12)
  header.write('PACK', 'latin1')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(objects.length, 8)
  const body = objects.flatMap(({ kind, bytes }) => [objectHeader(kinds[kind], bytes.length), deflateSync(bytes)])
  const pack = Buffer.concat([header, ...body])
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()])
}

const kinds = { commit: 1, tree: 2, blob: 3 } as const

/** Three bits of type, then the size, low bits first: four in the first byte, seven in each that follows. */
function objectHeader(kind: number, size: number): Buffer {
  const bytes: number[] = []
  let rest = Math.floor(size / 16)
  bytes.push((rest > 0 ? 0x80 : 0) | (kind << 4) | (size % 16))
  while (rest > 0) {
    const low = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push((rest > 0 ? 0x80 : 0) | low)
  }
  return Buffer.from(bytes)
}
