import type { DecoyRead } from '@landfall/contracts'
import { wire } from '../entry.ts'
import * as libc from '../libc.ts'
import { addWatch, bits, descriptorPath, removeWatch } from './kernel.ts'
import type { Inode } from './look.ts'
import { isSame, lookAt } from './look.ts'
import type { Recorder } from './recorder.ts'

/**
 * Watches the inodes of decoys themselves, so that a read is seen by whatever name it is made: the decoy's own, a hard
 * link, a symbolic link, a descriptor that was handed on.
 */
export interface WatchedDecoy {
  readonly name: string
  /** Path bytes in latin1. */
  readonly key: string
  /** The inode that stood there in the *before* manifest. */
  readonly inode: Inode
}

interface State {
  readonly decoy: WatchedDecoy
  reads: number
  firstReadMs: number
  opens: number
  firstOpenMs: number
  writableCloses: number
  /** Closed after being open for reading, with no read in between. */
  unread: number
  readSinceOpen: boolean
  closes: number
}

const mask = bits.access | bits.open | bits.closeNoWrite | bits.closeWrite

export class DecoyWatch {
  readonly #inotify: number
  readonly #recorder: Recorder
  readonly #states = new Map<number, State>()
  #own = false
  /** What was seen while the observer itself was reading. */
  #doubtful: Array<() => void> = []

  constructor(inotify: number, recorder: Recorder) {
    this.#inotify = inotify
    this.#recorder = recorder
  }

  /** Watches what stands at the decoy's path below `root`, reached without following any link. */
  add(root: number, decoy: WatchedDecoy): void {
    const fd = openBelow(root, decoy.key)
    const looked = fd < 0 ? undefined : lookAt(fd)
    if (looked === undefined || !isSame(looked, decoy.inode)) {
      this.#recorder.lost('watcher', `the decoy ${decoy.name} was replaced before it could be watched`, decoy.key)
    } else {
      const wd = addWatch(this.#inotify, descriptorPath(fd), mask)
      if (wd < 0)
        this.#recorder.lost('watcher', `the decoy ${decoy.name} cannot be watched: ${libc.errorName()}`, decoy.key)
      else this.#states.set(wd, fresh(decoy))
    }
    if (fd >= 0) libc.close(fd)
  }

  has(wd: number): boolean {
    return this.#states.has(wd)
  }

  /** An event of a watched decoy. */
  event(wd: number, bitsSet: number): void {
    const state = this.#states.get(wd)
    if (state === undefined) return
    // The decoy was deleted and its last descriptor closed: nothing can read it any more.
    if ((bitsSet & bits.ignored) !== 0) return
    const atMs = this.#recorder.nowMs
    if (this.#own) this.#doubtful.push(() => this.#count(state, bitsSet, atMs))
    else this.#count(state, bitsSet, atMs)
  }

  /**
   * The observer itself is about to read content, or has done so. What was seen meanwhile counts only if none of what
   * it read was a decoy: events carry neither process nor time.
   */
  own(reading: boolean, readDecoys = true): void {
    this.#own = reading
    if (reading) return
    const doubtful = this.#doubtful
    this.#doubtful = []
    if (!readDecoys) for (const count of doubtful) count()
  }

  #count(state: State, bitsSet: number, atMs: number): void {
    const { key } = state.decoy
    if ((bitsSet & bits.open) !== 0) {
      if (state.opens === 0) state.firstOpenMs = atMs
      state.opens += 1
      state.readSinceOpen = false
      this.#recorder.tell({ kind: 'opened', path: key, type: 'file', found: 'event' })
    } else if ((bitsSet & bits.access) !== 0) {
      if (state.reads === 0) state.firstReadMs = atMs
      state.reads += 1
      state.readSinceOpen = true
      this.#recorder.tell({ kind: 'read', path: key, type: 'file', found: 'event' })
    } else if ((bitsSet & bits.closeNoWrite) !== 0) {
      state.closes += 1
      if (!state.readSinceOpen) state.unread += 1
    } else if ((bitsSet & bits.closeWrite) !== 0) {
      state.writableCloses += 1
    }
  }

  result(): DecoyRead[] {
    return [...this.#states.values()].flatMap((state) => {
      const { decoy, reads, opens, closes, writableCloses } = state
      const path = wire(decoy.key)
      // Still open at the end and never read: for all that is known it is mapped.
      const open = Math.max(0, opens - closes - writableCloses)
      const unread = state.unread + (state.readSinceOpen ? 0 : open)
      return [
        ...(reads > 0
          ? [{ decoy: decoy.name, path, by: 'read' as const, count: reads, firstMs: round(state.firstReadMs) }]
          : []),
        ...(unread > 0
          ? [{ decoy: decoy.name, path, by: 'open' as const, count: unread, firstMs: round(state.firstOpenMs) }]
          : []),
      ]
    })
  }

  /** The observer will read them from here on. */
  stop(): void {
    for (const wd of this.#states.keys()) removeWatch(this.#inotify, wd)
  }
}

function fresh(decoy: WatchedDecoy): State {
  return {
    decoy,
    reads: 0,
    firstReadMs: 0,
    opens: 0,
    firstOpenMs: 0,
    closes: 0,
    writableCloses: 0,
    unread: 0,
    readSinceOpen: false,
  }
}

const round = (ms: number): number => Math.round(ms * 1_000) / 1_000

function openBelow(root: number, path: string): number {
  let current = libc.openat(root, libc.cName('.'), libc.openHandle)
  for (const name of path.split('/').filter((part) => part !== '')) {
    const next = current < 0 ? -1 : libc.openat(current, libc.cName(name), libc.openHandle)
    if (current >= 0) libc.close(current)
    current = next
  }
  return current
}
