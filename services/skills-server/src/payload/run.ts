import { tokenLength } from '@landfall/contracts'
import { type Filler, fillerPieces, gzipOf, gzipPiece } from '../archive/gzip.ts'
import { tarEnd, tarEntry, tarFile, tarHeader } from '../archive/tar.ts'

/**
 * A tar.gz whose one big file is a run of filler that ends in a token (iH4.6). Whoever finds that token on
 * disk knows that the whole run was written.
 */
export const mebibyte = 1024 * 1024

export interface Run {
  readonly markdown: Buffer
  /** Bytes of `data/run.bin`, a multiple of 512 so that no padding follows. */
  readonly size: number
  readonly filler: Filler
  /** Token at the very beginning, where there is one. */
  readonly first?: string
  /** Token in the last 36 bytes. */
  readonly last: string
}

/** The archive: `data/run.bin`, which is as large as it says, and SKILL.md before it. */
export function runArchive({ markdown, size, filler, first = '', last }: Run): Buffer {
  const head = Buffer.concat([
    tarEntry(tarFile('SKILL.md', markdown)),
    tarHeader({ name: 'data/run.bin', type: 'file', mode: 0o644, size }),
    Buffer.from(first, 'latin1'),
  ])
  const rest = size - first.length - tokenLength
  const tail = Buffer.concat([Buffer.from(last, 'latin1'), tarEnd])
  return gzipOf([gzipPiece(head), ...fillerPieces(filler, rest), gzipPiece(tail)])
}

/** `size` bytes of zeros that end in a token. */
export function zerosThen(size: number, last: string): Buffer {
  // Zeros that are never written to cost no memory.
  const bytes = Buffer.alloc(size)
  bytes.write(last, size - last.length, 'latin1')
  return bytes
}
