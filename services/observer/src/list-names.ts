import * as libc from './libc.ts'

/** The names in a directory, in the order of their bytes. */
export interface Names {
  /** Bytes in latin1. */
  readonly names: string[]
  /** Name of the failure that ended the listing early. */
  readonly error?: string
  /** There were more than wanted. */
  readonly cut: boolean
}

const batch = Buffer.alloc(65_536)
/** What a string costs besides its bytes. */
const overhead = 48

/** Lists the directory open at `fd`. Of a directory without end at most `most.names` names, or `most.bytes` bytes of memory. */
export function listNames(fd: number, most: { readonly names: number; readonly bytes: number }): Names {
  const names: string[] = []
  let bytes = 0
  for (;;) {
    const filled = libc.getdents(fd, batch, batch.length)
    if (filled === 0) return { names: names.toSorted(), cut: false }
    if (filled < 0) return { names: names.toSorted(), error: libc.errorName(), cut: false }
    for (let at = 0; at < filled; at += batch.readUInt16LE(at + 16)) {
      const name = batch.toString('latin1', at + 19, batch.indexOf(0, at + 19))
      if (name === '.' || name === '..') continue
      bytes += name.length + overhead
      if (names.length >= most.names) return { names: names.toSorted(), cut: false }
      if (bytes > most.bytes) return { names: names.toSorted(), cut: true }
      names.push(name)
    }
  }
}
