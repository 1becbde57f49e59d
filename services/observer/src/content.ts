import { createHash } from 'node:crypto'
import { constants, readSync } from 'node:fs'
import type { BlindSpots } from './blindness.ts'
import type { RawEntry } from './entry.ts'
import { sameInode, statAt } from './entry.ts'
import type { Keeping, KeptFile } from './evidence/keeping.ts'
import * as libc from './libc.ts'
import type { Limits } from './limits.ts'
import { TokenStream } from './search.ts'

/**
 * Reads the content of one regular file: its digest and the tokens in it, in a single pass.
 *
 * Holes of a sparse file are stepped over, since nothing can be written in them: a file of a terabyte that
 * holds one line costs one line. Its digest is left out when the zeros alone would use up the limit.
 */
export interface Content {
  readonly sha256?: string
  /** Token to the offset of its first occurrence. */
  readonly tokens: ReadonlyMap<string, number>
}

/** What may still be read in this observation. Shared by all files of it. */
export interface ContentBudget {
  readonly limits: Limits
  readonly blind: BlindSpots
  readonly expired: () => boolean
  /** The tokens that must not be missed. */
  readonly known: { has(token: string): boolean }
  /** Bytes left to read. */
  left: number
  /** Bytes of holes left to hash. */
  zerosLeft: number
  /** Keeps what is read. */
  readonly keeping?: Keeping
}

const chunk = Buffer.allocUnsafe(1024 * 1024)
const foreignPerFile = 1_000
const zeros = Buffer.alloc(chunk.length)
const itself = libc.cName('')
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | libc.flags.closeOnExec

/** Told without opening it: a flood of empty files costs no more than looking at them. */
const empty: Content = { sha256: createHash('sha256').digest('hex'), tokens: new Map() }

/** Opens a file that was stated as `entry`. A mount that is a single file has no name of its own below its descriptor. */
function openFile(dir: number, name: Uint8Array): number {
  if (name[0] === 0) {
    // The magic link of one's own descriptor leads to the held inode and nowhere else.
    return libc.openat(-1, libc.cName(`/proc/self/fd/${dir}`), readFlags & ~constants.O_NOFOLLOW)
  }
  // Not touching the access time is a right of the owner, so it may be refused.
  const quiet = libc.openat(dir, name, readFlags | constants.O_NOATIME)
  return quiet >= 0 ? quiet : libc.openat(dir, name, readFlags)
}

/** A name (ended by NUL) in a directory that is open at `dir`; an empty name is the held thing itself. */
export interface Place {
  readonly dir: number
  readonly bytes: Uint8Array
}

/** Reads the regular file at `place`, which was stated as `entry` a moment ago. Undefined when it cannot be read; `blind` says why. */
export function readContent(
  key: () => string,
  entry: RawEntry,
  { dir, bytes }: Place,
  budget: ContentBudget,
): Content | undefined {
  if (entry.size === 0) {
    budget.keeping?.begin(key, 0)?.finish(empty.sha256)
    return empty
  }
  const fd = openFile(dir, bytes)
  if (fd < 0) {
    budget.keeping?.begin(key, entry.size)?.finish(undefined)
    const error = libc.errorName()
    budget.blind.add(error === 'ENOENT' ? 'vanished' : 'unreadable', `cannot open the file: ${error}`, key())
    return undefined
  }
  try {
    const opened = statAt(fd, itself)
    if (opened === undefined || opened.entry.type !== 'file' || !sameInode(opened.entry, entry)) {
      budget.keeping?.begin(key, entry.size)?.finish(undefined)
      budget.blind.add('vanished', 'the file was replaced between looking at it and opening it', key())
      return undefined
    }
    return new Reading(key, fd, opened.entry.size, budget).run()
  } catch (error) {
    budget.blind.add('unreadable', `cannot read the file: ${String(error)}`, key())
    return undefined
  } finally {
    libc.close(fd)
  }
}

class Reading {
  readonly #key: () => string
  readonly #fd: number
  readonly #size: number
  readonly #budget: ContentBudget
  readonly #hash = createHash('sha256')
  readonly #tokens: TokenStream
  readonly #kept: KeptFile | undefined
  #fileLeft: number
  #hashing: boolean

  constructor(key: () => string, fd: number, size: number, budget: ContentBudget) {
    this.#key = key
    this.#fd = fd
    this.#size = size
    this.#budget = budget
    this.#tokens = new TokenStream(budget.known, foreignPerFile)
    this.#fileLeft = budget.limits.fileBytes
    this.#hashing = size <= Math.min(this.#fileLeft, budget.left)
    this.#kept = budget.keeping?.begin(key, size)
  }

  run(): Content {
    let content: Content | undefined
    try {
      content = this.#read()
      return content
    } finally {
      this.#kept?.finish(content?.sha256)
    }
  }

  #read(): Content {
    if (this.#size >= Number.MAX_SAFE_INTEGER) {
      this.#budget.blind.add(
        'bytes',
        'a file so large that its end cannot be numbered is searched only in part',
        this.#key(),
      )
    }
    let at = 0
    while (at < this.#size) {
      const data = this.#seek(at, libc.flags.seekData)
      if (data > at) this.#hole(data - at)
      if (data >= this.#size) break
      const end = this.#seek(data, libc.flags.seekHole)
      at = data
      while (at < end) {
        const read = this.#data(at, end)
        if (read === 0) return this.#result(false)
        at += read
      }
    }
    return this.#result(true)
  }

  /** Where the next data or hole begins. File systems that do not know say that all of it is data. */
  #seek(from: number, whence: number): number {
    const found = Number(libc.lseek(this.#fd, from, whence))
    if (found >= 0) return Math.min(found, this.#size)
    return libc.errorName() === 'ENXIO' || whence === libc.flags.seekHole ? this.#size : from
  }

  #hole(length: number): void {
    this.#tokens.gap(length)
    for (let left = length; this.#hashing && left > 0; left -= zeros.length) {
      const part = zeros.subarray(0, Math.min(left, zeros.length))
      this.#hashing = part.length <= this.#budget.zerosLeft && !this.#budget.expired()
      if (!this.#hashing) return
      this.#budget.zerosLeft -= part.length
      this.#hash.update(part)
    }
  }

  /** Answers the number of bytes read; 0 when a limit or an end that came too early stops the reading. */
  #data(at: number, end: number): number {
    const wanted = Math.min(chunk.length, end - at, this.#fileLeft, this.#budget.left)
    if (wanted <= 0 || this.#budget.expired()) {
      const kind = wanted <= 0 ? 'bytes' : 'time'
      this.#budget.blind.add(kind, `only the first ${at} of ${this.#size} bytes were searched`, this.#key())
      return 0
    }
    const read = readSync(this.#fd, chunk, 0, wanted, at)
    if (read === 0) {
      this.#budget.blind.add('vanished', 'the file became shorter while it was read', this.#key())
      return 0
    }
    this.#fileLeft -= read
    this.#budget.left -= read
    const part = chunk.subarray(0, read)
    if (this.#hashing) this.#hash.update(part)
    this.#tokens.feed(part)
    this.#kept?.write(part, at)
    return read
  }

  #result(whole: boolean): Content {
    const tokens = this.#tokens.found
    return whole && this.#hashing ? { sha256: this.#hash.digest('hex'), tokens } : { tokens }
  }
}
