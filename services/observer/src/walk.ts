import type { BlindSpots } from './blindness.ts'
import type { RawEntry, Stat } from './entry.ts'
import { sameInode, statAt } from './entry.ts'
import type { HeldMount, HeldRoot } from './held.ts'
import * as libc from './libc.ts'
import type { Limits } from './limits.ts'
import { listNames } from './list-names.ts'
import { PathTrie } from './path-trie.ts'
import { Frame, Spot } from './spot.ts'
import type { Steps } from './steps.ts'
import { XattrReader } from './xattrs.ts'

/**
 * Walks everything a victim has, through descriptors that are already held, in an order that depends on nothing
 * but names: mounts by their paths; of a directory first all entries in the order of their bytes, then, in the
 * same order, what is below each of its subdirectories.
 *
 * Nothing is opened before it was stated, and only directories are opened here. A directory is opened
 * relative to its parent's descriptor, never through a link, and must be the inode that was stated; so
 * neither a link nor a swap in the middle of the walk leads out of the victim, and no path is ever
 * too long for the kernel. Other mounts are not entered: those worth seeing are held on their own.
 */

export interface WalkOptions<D> {
  readonly limits: Limits
  readonly blind: BlindSpots
  /** True when the time for this walk is up. */
  readonly expired: () => boolean
  /**
   * Milliseconds since 1970 from which on nothing should move any more. A directory that changed later is said: of
   * a container that is being removed, what was there a moment ago is missing without any error.
   */
  readonly stillSinceMs?: number
  /**
   * Called for every entry. What it answers for a directory is `within` of the spots below it. The spot is
   * valid during the call only.
   */
  readonly visit: (entry: RawEntry, spot: Spot<D>) => D | undefined
  /** Called before the entries of a directory, also when there are none: its name, of a mount its path, and how many directories stand between it and its mount. */
  readonly enter?: (name: string, depth: number) => void
}

const itself = libc.cName('')
const dot = libc.cName('.')
const pauseMask = 0x3f
const timeCheckMask = 0x3ff
const nameBytes = Buffer.alloc(4_097)

/** Walks every held mount. Answers the number of entries looked at. */
export function* walk<D>(held: HeldRoot, options: WalkOptions<D>): Steps<number> {
  using walker = new Walker(held, options)
  const mounts = held.mounts.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  for (const mount of mounts) yield* walker.mount(mount)
  return walker.entries
}

export function childKey(key: string, name: string): string {
  return key === '/' ? `/${name}` : `${key}/${name}`
}

class Walker<D> implements Disposable {
  entries = 0
  readonly #points: PathTrie
  readonly #options: WalkOptions<D>
  readonly #xattrs: XattrReader
  readonly #spot: Spot<D>
  #pendingBytes = 0
  #stopped = false

  constructor(held: HeldRoot, options: WalkOptions<D>) {
    this.#points = PathTrie.of(held.points)
    this.#options = options
    this.#xattrs = new XattrReader(options.limits.xattrBytes)
    this.#spot = new Spot(this.#xattrs, options.blind)
  }

  [Symbol.dispose](): void {
    this.#xattrs[Symbol.dispose]()
  }

  *mount(mount: HeldMount): Steps<void> {
    if (this.#stopped) return
    const stat = statAt(mount.fd, itself)
    if (stat === undefined) return this.#lost(mount, libc.errorName())
    this.entries += 1
    const within = this.#options.visit(stat.entry, this.#spot.atMount(mount))
    this.#xattrs.leave()
    if (mount.kind === 'file') return
    // A descriptor of its own: the held one has a reading position that a second walk would share.
    const fd = libc.openat(mount.fd, dot, libc.openDirectory)
    if (fd < 0) return this.#lost(mount, libc.errorName())
    yield* this.#tree(mount, new Frame(fd, mount.key, undefined, within, this.#points.at(mount.key)))
  }

  #lost(mount: HeldMount, error: string): void {
    const detail = `the held ${mount.key === '/' ? 'root' : 'mount'} cannot be read any more: ${error}`
    this.#options.blind.addSubtree('root-lost', detail, mount.key)
  }

  *#tree(mount: HeldMount, top: Frame<D>): Steps<void> {
    const stack = [top]
    try {
      yield* this.#read(mount, top)
      for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
        const next = this.#stopped ? undefined : frame.next()
        if (next === undefined) {
          libc.close(frame.fd)
          stack.pop()
          continue
        }
        this.#pendingBytes -= next.name.length
        const fd = this.#open(frame, next.name, next.entry, stack.length)
        if (fd === undefined) continue
        const below = new Frame(fd, next.name, frame, next.within, frame.points?.below(next.name))
        stack.push(below)
        yield* this.#read(mount, below)
      }
    } finally {
      this.#xattrs.leave()
      for (const frame of stack) libc.close(frame.fd)
    }
  }

  #open(parent: Frame<D>, name: string, entry: RawEntry, depth: number): number | undefined {
    const { limits, blind } = this.#options
    if (depth >= limits.depth) {
      blind.addSubtree('depth', `more than ${limits.depth} directories below each other`, parent.keyOf(name))
      return undefined
    }
    const fd = libc.openat(parent.fd, libc.cName(name), libc.openDirectory)
    if (fd < 0) {
      const error = libc.errorName()
      const kind = error === 'ENOENT' ? 'vanished' : 'unreadable'
      blind.addSubtree(kind, `cannot open the directory: ${error}`, parent.keyOf(name))
      return undefined
    }
    const opened = statAt(fd, itself)
    if (opened !== undefined && sameInode(opened.entry, entry)) return fd
    libc.close(fd)
    const detail = 'the directory was replaced between looking at it and opening it'
    blind.addSubtree('vanished', detail, parent.keyOf(name))
    return undefined
  }

  *#read(mount: HeldMount, frame: Frame<D>): Steps<void> {
    const { limits, blind, enter } = this.#options
    const most = { names: limits.entries - this.entries + 1, bytes: limits.pendingBytes - this.#pendingBytes }
    const { names, error, cut } = listNames(frame.fd, most)
    if (cut) blind.addSubtree('entries', `more names than are kept in a directory (${names.length})`, frame.key())
    if (error !== undefined) {
      // The engine has removed the container: what was on its disk is gone, which must not look like "nothing there".
      const kind = error === 'ENOENT' || error === 'ESTALE' ? 'root-lost' : 'unreadable'
      blind.addSubtree(kind, `cannot list the directory: ${error}`, frame.key())
    }
    this.#requireStill(frame)
    enter?.(frame.name, frame.depth)
    this.#spot.enter(frame, mount)
    for (const name of names) {
      if (!this.#admit(frame, name)) break
      this.#child(mount, frame, name)
      if ((this.entries & pauseMask) !== 0) continue
      this.#xattrs.leave()
      yield
      this.#spot.enter(frame, mount)
    }
    this.#xattrs.leave()
  }

  /** Asked after the listing. The change time, unlike that of modification, is nothing a victim can set. */
  #requireStill(frame: Frame<D>): void {
    const { stillSinceMs, blind } = this.#options
    const changed = stillSinceMs === undefined ? undefined : statAt(frame.fd, itself)?.entry
    if (changed === undefined || stillSinceMs === undefined) return
    if (changed.ctimeSeconds * 1_000 + changed.ctimeNanos / 1_000_000 <= stillSinceMs) return
    blind.addSubtree('vanished', 'the directory changed while the observer looked', frame.key())
  }

  #admit(frame: Frame<D>, name: string): boolean {
    const { limits, blind, expired } = this.#options
    if (this.entries >= limits.entries) {
      blind.addEverywhere('entries', `more than ${limits.entries} entries`, frame.key())
      this.#stopped = true
    } else if ((this.entries & timeCheckMask) === 0 && expired()) {
      blind.addEverywhere('time', `the walk took longer than ${limits.walkMs} ms`, frame.key())
      this.#stopped = true
    } else if (frame.keyLength + 1 + name.length > limits.pathBytes) {
      blind.addSubtree('depth', `a path longer than ${limits.pathBytes} bytes`, frame.key())
      return false
    }
    return !this.#stopped
  }

  #child(mount: HeldMount, frame: Frame<D>, name: string): void {
    const { limits, blind, visit } = this.#options
    nameBytes[nameBytes.write(name, 0, 'latin1')] = 0
    this.entries += 1
    const stat = statAt(frame.fd, nameBytes)
    if (stat === undefined) {
      const error = libc.errorName()
      const kind = error === 'ENOENT' ? 'vanished' : 'unreadable'
      return blind.addSubtree(kind, `cannot look at the entry: ${error}`, frame.keyOf(name))
    }
    if (frame.points?.below(name)?.ends === true) return
    if (!this.#belongs(mount, stat)) {
      const detail = 'another file system was mounted here during the trial'
      return blind.addSubtree('unreadable', detail, frame.keyOf(name))
    }
    const within = visit(stat.entry, this.#spot.at(name, nameBytes))
    if (stat.entry.type !== 'directory') return
    if (this.#pendingBytes + name.length > limits.pendingBytes) {
      const detail = `more than ${limits.pendingBytes} bytes of names of unread directories`
      return blind.addSubtree('entries', detail, frame.keyOf(name))
    }
    this.#pendingBytes += name.length
    frame.add({ name, entry: stat.entry, within })
  }

  /** On kernels without mount ids only directories tell: overlayfs may show another device for plain files. */
  #belongs(mount: HeldMount, { entry, mount: id }: Stat): boolean {
    if (id !== 0 && mount.id !== 0) return id === mount.id
    return entry.type !== 'directory' || entry.dev === mount.dev
  }
}
