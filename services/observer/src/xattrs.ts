import { createHash } from 'node:crypto'
import { openSync } from 'node:fs'
import type { Xattrs } from '@landfall/contracts'
import { toWirePath } from '@landfall/contracts'
import * as libc from './libc.ts'

/**
 * Extended attributes of the entries of a directory: `user.*`, `security.*` and ACLs. `trusted.*` shows itself
 * to `SYS_ADMIN` alone, which neither a victim nor the observer has.
 *
 * The calls take paths and no descriptors (`listxattrat` is too new for many kernels, and refused by the engine's
 * filter of system calls). `/proc/self/fd/<n>/<name>` costs 5 µs for each entry, standing in the directory 1 µs
 * (measured); so this process stands in the victim's directory while it lists, and walks back.
 *
 * Kept as one text, so that comparing is comparing: a line `<name in wire form> <value>` for each, sorted.
 */
const list = Buffer.alloc(65_536)
const value = Buffer.alloc(65_536)
const here = libc.cName('.')
/** A longer value is told by its digest. */
const carried = 256

export class XattrReader implements Disposable {
  /** Bytes of text still to be handed out. */
  #left: number
  #home: number | undefined

  constructor(limitBytes: number) {
    this.#left = limitBytes
  }

  /** From here on names are those of the directory `fd`. Answers false when that is impossible. */
  enter(fd: number): boolean {
    this.#home ??= openSync('.', 'r')
    return libc.fchdir(fd) === 0
  }

  /** Goes back to where the process stood. Called whenever other code may run. */
  leave(): void {
    if (this.#home !== undefined) libc.fchdir(this.#home)
  }

  /**
   * Attributes of the entry `name` (ended by NUL) of the entered directory, of that directory itself when the
   * name is empty. Undefined when it has none.
   *
   * @throws Error with the name of the failure, and when the limit is used up.
   */
  read(name: Uint8Array): string | undefined {
    return this.#read(name[0] === 0 ? here : name, libc.llistxattr, libc.lgetxattr)
  }

  /** The same for a held file that is a mount of its own. */
  readHeld(fd: number): string | undefined {
    // The magic link of one's own descriptor leads to the held inode and nowhere else.
    return this.#read(libc.cName(`/proc/self/fd/${fd}`), libc.listxattr, libc.getxattr)
  }

  #read(path: Uint8Array, listAll: typeof libc.llistxattr, get: typeof libc.lgetxattr): string | undefined {
    const filled = listAll(path, list, list.length)
    if (filled === 0) return undefined
    if (filled < 0) {
      const error = libc.errorName()
      if (error === 'EOPNOTSUPP' || error === 'ENOTSUP') return undefined
      throw new Error(error)
    }
    const names = list.toString('latin1', 0, filled - 1).split('\0')
    const lines = names.toSorted().flatMap((name) => {
      const length = get(path, libc.cName(name), value, value.length)
      // Taken away since it was listed.
      if (length < 0 && libc.errorName() === 'ENODATA') return []
      if (length < 0) throw new Error(libc.errorName())
      return [`${toWirePath(Buffer.from(name, 'latin1'))} ${valueText(value.subarray(0, length))}`]
    })
    if (lines.length === 0) return undefined
    const text = lines.join('\n')
    this.#left -= text.length
    if (this.#left < 0) throw new Error('more extended attributes than are kept')
    return text
  }

  [Symbol.dispose](): void {
    this.leave()
    if (this.#home !== undefined) libc.close(this.#home)
    this.#home = undefined
  }
}

function valueText(bytes: Buffer): string {
  if (bytes.length <= carried) return bytes.toString('base64')
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** The form of the contract. */
export function xattrsToWire(text: string): Xattrs {
  return Object.fromEntries(
    text.split('\n').map((line) => {
      // The last space: a name may hold some, a value holds none.
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), line.slice(at + 1)]
    }),
  )
}
