import { createHash } from 'node:crypto'
import type { EntryType } from '@landfall/contracts'
import type { RawEntry } from './entry.ts'

/**
 * The hash of a canonical manifest: sha256 over records in the order of a walk (`walk.ts`), made while walking.
 *
 * Numbers are little-endian; text is its bytes after their number in 4 bytes. Two kinds of records:
 * - a directory whose entries follow: `01`, its name (of a mount its path), and how many directories stand between
 *   it and its mount (4 bytes), which in this order is as good as its path and does not grow with it; the same
 *   before the entry of a mount itself;
 * - an entry: `02`, its name (of a mount nothing), then: type (1 byte, as in `numbers` below), mode (2), uid (4),
 *   gid (4), links (4), size (8), device (8: major * 2^20 + minor), inode (8), mtime and ctime (8 each for signed
 *   seconds, 4 each for nanoseconds), then what the entry has of these: `03` and its link target, `04` and its
 *   extended attributes (the lines of `xattrs.ts`), `05` and its sha256 in hex.
 *
 * So every field that an entry has in the contract is in it, but for the resolution of links, which follows from
 * the rest. Numbers beyond 2^53 are held at that border, as in the contract.
 */
export class ManifestHash {
  readonly #hash = createHash('sha256')
  readonly #buffer = Buffer.allocUnsafe(bufferSize)
  #at = 0

  /** What follows is in this directory, or is this mount. */
  directory(name: string, depth = 0): void {
    this.#room(0)
    this.#at = this.#buffer.writeUInt8(1, this.#at)
    this.#text(name)
    this.#room(0)
    this.#at = this.#buffer.writeUInt32LE(depth, this.#at)
  }

  entry(name: string, entry: RawEntry, sha256?: string): void {
    this.#room(name.length)
    const buffer = this.#buffer
    let at = buffer.writeUInt8(2, this.#at)
    at = buffer.writeUInt32LE(name.length, at)
    at += buffer.write(name, at, 'latin1')
    at = buffer.writeUInt8(numbers[entry.type], at)
    at = buffer.writeUInt16LE(entry.mode, at)
    at = buffer.writeUInt32LE(entry.uid, at)
    at = buffer.writeUInt32LE(entry.gid, at)
    at = buffer.writeUInt32LE(entry.links, at)
    at = writeLong(buffer, entry.size, at)
    at = writeLong(buffer, entry.dev, at)
    at = buffer.writeUInt32LE(entry.inoLow, at)
    at = buffer.writeUInt32LE(entry.inoHigh, at)
    at = writeLong(buffer, entry.mtimeSeconds, at)
    at = buffer.writeUInt32LE(entry.mtimeNanos, at)
    at = writeLong(buffer, entry.ctimeSeconds, at)
    this.#at = buffer.writeUInt32LE(entry.ctimeNanos, at)
    if (entry.target !== undefined) this.#optional(3, entry.target)
    if (entry.xattrs !== undefined) this.#optional(4, entry.xattrs)
    if (sha256 !== undefined) this.#optional(5, sha256)
  }

  /** Hex digits. Nothing can be added afterwards. */
  digest(): string {
    this.#flush()
    return this.#hash.digest('hex')
  }

  #optional(mark: number, text: string): void {
    this.#room(0)
    this.#at = this.#buffer.writeUInt8(mark, this.#at)
    this.#text(text)
  }

  #text(text: string): void {
    this.#at = this.#buffer.writeUInt32LE(text.length, this.#at)
    if (text.length > longText) {
      this.#flush()
      this.#hash.update(text, 'latin1')
      return
    }
    this.#room(text.length)
    this.#at += this.#buffer.write(text, this.#at, 'latin1')
  }

  #room(more: number): void {
    if (this.#at + more + fixed > this.#buffer.length) this.#flush()
  }

  #flush(): void {
    this.#hash.update(this.#buffer.subarray(0, this.#at))
    this.#at = 0
  }
}

const bufferSize = 65_536
/** More than any record needs besides its texts. */
const fixed = 128
const longText = 8_192

const numbers: Readonly<Record<EntryType, number>> = {
  file: 0,
  directory: 1,
  symlink: 2,
  fifo: 3,
  socket: 4,
  'char-device': 5,
  'block-device': 6,
}

/** Halves, so that no bigint is made. Both are what they are modulo 2^32, which is two's complement. */
function writeLong(buffer: Buffer, value: number, at: number): number {
  const middle = buffer.writeUInt32LE(value >>> 0, at)
  return buffer.writeUInt32LE(Math.floor(value / 0x1_0000_0000) >>> 0, middle)
}
