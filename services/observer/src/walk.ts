import type { BlindSpots } from './blindness.ts'
import type { RawEntry, Stat } from './entry.ts'
import { sameInode, statAt } from './entry.ts'
import * as libc from './libc.ts'
import type { Limits } from './limits.ts'
import type { HeldMount, HeldRoot } from './held.ts'

/**
 * Walks everything a victim has, through descriptors that are already held.
 *
 * Nothing is opened before it was stated, and only directories are opened here. A directory is opened
 * relative to its parent's descriptor, never through a link, and must be the inode that was stated; so
 * neither a link nor a swap in the middle of the walk leads out of the victim, and no path is ever
 * too long for the kernel. Other mounts are not entered: those worth seeing are held on their own.
 */

/** Called for every entry, a directory before its children. `dir` and `name` reach it and are valid during the call only. */
export type Visit = (key: string, entry: RawEntry, dir: number, name: Uint8Array) => void

export interface WalkOptions {
  readonly limits: Limits
  readonly blind: BlindSpots
  /** True when the time for this walk is up. */
  readonly expired: () => boolean
  readonly visit: Visit
}

interface Pending {
  readonly name: string
  readonly entry: RawEntry
}

interface Frame {
  readonly fd: number
  readonly key: string
  readonly pending: Pending[]
}

const itself = libc.cName('')
const dot = libc.cName('.')
const batch = Buffer.alloc(65_536)
const timeCheckMask = 0x3ff

/** Walks every held mount. Answers the number of entries looked at. */
export function walk(held: HeldRoot, options: WalkOptions): number {
  const walker = new Walker(held, options)
  for (const mount of held.mounts) walker.mount(mount)
  return walker.entries
}

export function childKey(key: string, name: string): string {
  return key === '/' ? `/${name}` : `${key}/${name}`
}

class Walker {
  entries = 0
  readonly #held: HeldRoot
  readonly #options: WalkOptions
  #pendingBytes = 0
  #stopped = false

  constructor(held: HeldRoot, options: WalkOptions) {
    this.#held = held
    this.#options = options
  }

  mount(mount: HeldMount): void {
    if (this.#stopped) return
    const stat = statAt(mount.fd, itself)
    if (stat === undefined) return this.#lost(mount, libc.errorName())
    this.entries += 1
    this.#options.visit(mount.key, stat.entry, mount.fd, itself)
    if (mount.kind === 'file') return
    // A descriptor of its own: the held one has a reading position that a second walk would share.
    const fd = libc.openat(mount.fd, dot, libc.openDirectory)
    if (fd < 0) return this.#lost(mount, libc.errorName())
    this.#tree(mount, fd)
  }

  #lost(mount: HeldMount, error: string): void {
    const detail = `the held ${mount.key === '/' ? 'root' : 'mount'} cannot be read any more: ${error}`
    this.#options.blind.addSubtree('root-lost', detail, mount.key)
  }

  #tree(mount: HeldMount, top: number): void {
    const stack: Frame[] = []
    const enter = (fd: number, key: string): void => {
      const frame = { fd, key, pending: [] }
      stack.push(frame)
      this.#read(mount, frame)
    }
    try {
      enter(top, mount.key)
      for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
        const next = this.#stopped ? undefined : frame.pending.pop()
        if (next === undefined) {
          libc.close(frame.fd)
          stack.pop()
          continue
        }
        this.#pendingBytes -= next.name.length
        const key = childKey(frame.key, next.name)
        const fd = this.#open(frame.fd, next, key, stack.length)
        if (fd !== undefined) enter(fd, key)
      }
    } finally {
      for (const frame of stack) libc.close(frame.fd)
    }
  }

  #open(parent: number, { name, entry }: Pending, key: string, depth: number): number | undefined {
    const { limits, blind } = this.#options
    if (depth >= limits.depth) {
      blind.addSubtree('depth', `more than ${limits.depth} directories below each other`, key)
      return undefined
    }
    const fd = libc.openat(parent, libc.cName(name), libc.openDirectory)
    if (fd < 0) {
      const error = libc.errorName()
      blind.addSubtree(error === 'ENOENT' ? 'vanished' : 'unreadable', `cannot open the directory: ${error}`, key)
      return undefined
    }
    const opened = statAt(fd, itself)
    if (opened !== undefined && sameInode(opened.entry, entry)) return fd
    libc.close(fd)
    blind.addSubtree('vanished', 'the directory was replaced between looking at it and opening it', key)
    return undefined
  }

  #read(mount: HeldMount, frame: Frame): void {
    for (;;) {
      const filled = libc.getdents(frame.fd, batch, batch.length)
      if (filled === 0) return
      if (filled < 0) {
        const error = libc.errorName()
        // The engine has removed the container: what was on its disk is gone, which must not look like "nothing there".
        const kind = error === 'ENOENT' || error === 'ESTALE' ? 'root-lost' : 'unreadable'
        return this.#options.blind.addSubtree(kind, `cannot list the directory: ${error}`, frame.key)
      }
      for (let at = 0; at < filled; at += batch.readUInt16LE(at + 16)) {
        const end = batch.indexOf(0, at + 19)
        const name = batch.toString('latin1', at + 19, end)
        if (name === '.' || name === '..') continue
        if (!this.#admit(frame, name)) return
        this.#child(mount, frame, name, batch.subarray(at + 19, end + 1))
      }
    }
  }

  #admit(frame: Frame, name: string): boolean {
    const { limits, blind, expired } = this.#options
    if (this.entries >= limits.entries) {
      blind.addEverywhere('entries', `more than ${limits.entries} entries`, frame.key)
      this.#stopped = true
    } else if ((this.entries & timeCheckMask) === 0 && expired()) {
      blind.addEverywhere('time', `the walk took longer than ${limits.walkMs} ms`, frame.key)
      this.#stopped = true
    } else if (frame.key.length + 1 + name.length > limits.pathBytes) {
      blind.addSubtree('depth', `a path longer than ${limits.pathBytes} bytes`, frame.key)
      return false
    }
    return !this.#stopped
  }

  #child(mount: HeldMount, frame: Frame, name: string, bytes: Uint8Array): void {
    const { limits, blind, visit } = this.#options
    const key = childKey(frame.key, name)
    this.entries += 1
    const stat = statAt(frame.fd, bytes)
    if (stat === undefined) {
      const error = libc.errorName()
      return blind.addSubtree(error === 'ENOENT' ? 'vanished' : 'unreadable', `cannot look at the entry: ${error}`, key)
    }
    if (this.#held.points.has(key)) return
    if (!this.#belongs(mount, stat)) {
      return blind.addSubtree('unreadable', 'another file system was mounted here during the trial', key)
    }
    visit(key, stat.entry, frame.fd, bytes)
    if (stat.entry.type !== 'directory') return
    if (this.#pendingBytes + name.length > limits.pendingBytes) {
      return blind.addSubtree('entries', `more than ${limits.pendingBytes} bytes of names of unread directories`, key)
    }
    this.#pendingBytes += name.length
    frame.pending.push({ name, entry: stat.entry })
  }

  /** On kernels without mount ids only directories tell: overlayfs may show another device for plain files. */
  #belongs(mount: HeldMount, { entry, mount: id }: Stat): boolean {
    if (id !== 0 && mount.id !== 0) return id === mount.id
    return entry.type !== 'directory' || entry.dev === mount.dev
  }
}
