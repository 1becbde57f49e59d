import type { BlindSpots } from './blindness.ts'
import type { RawEntry } from './entry.ts'
import type { HeldMount } from './held.ts'
import * as libc from './libc.ts'
import type { PathTrie } from './path-trie.ts'
import type { XattrCache } from './xattr-cache.ts'
import type { XattrReader } from './xattrs.ts'

/** Where a walk stands. Paths are built only when asked for: of ten thousand entries few are worth telling. */

/** A subdirectory that waits to be read. */
export interface Pending<D> {
  readonly name: string
  readonly entry: RawEntry
  readonly within: D | undefined
}

const itself = libc.cName('')
/** A chain of long paths would hold the square of its length. */
const keptKey = 1_024

/** A directory that is being walked. */
export class Frame<D> {
  readonly fd: number
  /** Directories between this one and the mount it is in. */
  readonly depth: number
  /** Bytes in latin1; of a mount its whole path. */
  readonly name: string
  readonly keyLength: number
  readonly within: D | undefined
  /** Mount points below it, if there are any. */
  readonly points: PathTrie | undefined
  readonly #parent: Frame<D> | undefined
  readonly #pending: Pending<D>[] = []
  #next = 0
  #key: string | undefined

  constructor(
    fd: number,
    name: string,
    parent: Frame<D> | undefined,
    within: D | undefined,
    points: PathTrie | undefined,
  ) {
    this.fd = fd
    this.within = within
    this.points = points
    this.name = name
    this.depth = parent === undefined ? 0 : parent.depth + 1
    this.#parent = parent
    const own = name === '/' ? 0 : name.length
    this.keyLength = parent === undefined ? own : parent.keyLength + 1 + own
  }

  add(pending: Pending<D>): void {
    this.#pending.push(pending)
  }

  next(): Pending<D> | undefined {
    const next = this.#pending[this.#next]
    this.#next += 1
    return next
  }

  key(): string {
    if (this.#key !== undefined) return this.#key
    if (this.#parent === undefined) return this.name
    const names = [this.name]
    let above = this.#parent
    for (; above.#parent !== undefined; above = above.#parent) names.push(above.name)
    const key = `${above.name === '/' ? '' : above.name}/${names.toReversed().join('/')}`
    if (key.length <= keptKey) this.#key = key
    return key
  }

  keyOf(name: string): string {
    const key = this.key()
    return key === '/' ? `/${name}` : `${key}/${name}`
  }
}

/** One entry as a visitor meets it. The same object for all of them. */
export class Spot<D> {
  /** The directory that holds the entry, and the entry's name in it, ended by NUL; empty for a mount itself. */
  dir = -1
  bytes: Uint8Array = itself
  /** Bytes in latin1; of a mount its whole path. */
  name = ''
  readonly #xattrs: XattrReader
  readonly #blind: BlindSpots
  #frame: Frame<D> | undefined
  /** Of a mount itself. */
  #mount: HeldMount | undefined
  /** The mount that the directory is in. */
  #around: HeldMount | undefined
  #entered = false

  constructor(xattrs: XattrReader, blind: BlindSpots) {
    this.#xattrs = xattrs
    this.#blind = blind
  }

  get isMount(): boolean {
    return this.#frame === undefined
  }

  /** What the visitor answered for the directory that holds the entry; undefined for a mount. */
  get within(): D | undefined {
    return this.#frame?.within
  }

  key(): string {
    return this.#frame?.keyOf(this.name) ?? this.name
  }

  /** Length of the key, which costs nothing. */
  get keyLength(): number {
    return this.#frame === undefined ? this.name.length : this.#frame.keyLength + 1 + this.name.length
  }

  /** Path of the directory that holds the entry. */
  parentKey(): string {
    return this.#frame?.key() ?? this.name.slice(0, Math.max(1, this.name.lastIndexOf('/')))
  }

  /** The entry's extended attributes in the form of `xattrs.ts`. */
  xattrs(read?: (xattrs: string | undefined) => void): string | undefined {
    try {
      const xattrs = this.#readXattrs()
      read?.(xattrs)
      return xattrs
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      if (detail !== 'ENOENT') this.#blind.add('unreadable', `cannot list extended attributes: ${detail}`, this.key())
      return undefined
    }
  }

  /** The same of an entry that was stated a moment ago, from the cache if it is there, and kept in it if it may be. */
  xattrsBy(cache: XattrCache, entry: RawEntry, nowMs: number): string | undefined {
    const mount = this.#around
    if (mount === undefined) return this.xattrs()
    const found = cache.find(entry, mount)
    if (found !== undefined) return found ?? undefined
    return this.xattrs((xattrs) => cache.keep(entry, mount, xattrs, nowMs))
  }

  #readXattrs(): string | undefined {
    if (this.#mount?.kind === 'file') return this.#xattrs.readHeld(this.#mount.fd)
    this.#entered ||= this.#xattrs.enter(this.dir)
    if (!this.#entered) throw new Error(libc.errorName())
    return this.#xattrs.read(this.bytes)
  }

  atMount(mount: HeldMount): this {
    this.#frame = undefined
    this.#mount = mount
    this.#around = undefined
    this.#entered = false
    this.name = mount.key
    this.dir = mount.fd
    this.bytes = itself
    return this
  }

  /** From here on in this directory, which the process does not stand in yet. */
  enter(frame: Frame<D>, mount: HeldMount): void {
    this.#frame = frame
    this.#mount = undefined
    this.#around = mount
    this.#entered = false
    this.dir = frame.fd
  }

  at(name: string, bytes: Uint8Array): this {
    this.name = name
    this.bytes = bytes
    return this
  }
}
