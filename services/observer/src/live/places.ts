import type { HeldMount } from '../held.ts'
import * as libc from '../libc.ts'
import { addWatch, bits, descriptorPath, removeWatch } from './kernel.ts'
import type { LiveLimits } from './limits.ts'
import type { Looked } from './look.ts'
import { lookAt } from './look.ts'
import { Place } from './place.ts'
import type { Recorder } from './recorder.ts'

/**
 * The watched directories. Every one is opened relative to its parent's descriptor and never through a link, and the
 * watch is set on the descriptor, so no swap leads a watch out of the victim.
 */
export type Root = Pick<HeldMount, 'key' | 'fd'>

const nameEvents = bits.create | bits.delete | bits.movedFrom | bits.movedTo | bits.attrib | bits.onlyDirectory
const allEvents = nameEvents | bits.modify | bits.closeWrite
const dot = libc.cName('.')
const batch = Buffer.alloc(65_536)
const directoryKind = 4
const unknownKind = 0

/** Why a directory is not watched: it is not there any more, or there is no room. */
export type Unwatched = 'gone' | 'refused'

export class Places implements Disposable {
  readonly #inotify: number
  readonly #recorder: Recorder
  readonly #limits: LiveLimits
  readonly #byWd = new Map<number, Place>()
  #full = false

  constructor(inotify: number, recorder: Recorder, limits: LiveLimits) {
    this.#inotify = inotify
    this.#recorder = recorder
    this.#limits = limits
  }

  get size(): number {
    return this.#byWd.size
  }

  get(wd: number): Place | undefined {
    return this.#byWd.get(wd)
  }

  all(): Place[] {
    return [...this.#byWd.values()]
  }

  /** Watches the top of a mount. The descriptor is the place's from here on. */
  addRoot({ key, fd }: Root): Place | undefined {
    const place = this.#watch(fd, key, undefined, false)
    return place instanceof Place ? place : undefined
  }

  /**
   * Opens and watches the directory `name` of `parent`. A directory that is watched already, under another name, is
   * moved here: its rename will be reported later.
   */
  open(parent: Place, name: string, fresh: boolean): Place | Unwatched {
    const fd = libc.openat(parent.fd, libc.cName(name), libc.openHandle | libc.openDirectory)
    if (fd < 0) return this.#failed('openat', parent.at(name))
    if (parent.path.length + name.length > this.#limits.pathBytes) {
      libc.close(fd)
      return this.#refused(`a path longer than ${this.#limits.pathBytes} bytes`, parent.path)
    }
    return this.#watch(fd, name, parent, fresh)
  }

  #watch(fd: number, name: string, parent: Place | undefined, fresh: boolean): Place | Unwatched {
    const path = parent === undefined ? name : parent.at(name)
    if (this.#byWd.size >= this.#limits.watches) {
      libc.close(fd)
      return this.#refused(`more than ${this.#limits.watches} directories`, path)
    }
    const looked = lookAt(fd)
    if (looked !== undefined && parent !== undefined && isOtherMount(parent.inode, looked)) {
      // W1 says that it is there; what is made up by the kernel is not to be watched.
      libc.close(fd)
      return 'refused'
    }
    // Every write to /dev/null would be an event there.
    const wd =
      looked === undefined ? -1 : addWatch(this.#inotify, descriptorPath(fd), path === '/dev' ? nameEvents : allEvents)
    if (looked === undefined || wd < 0) {
      const failed = this.#failed('inotify_add_watch', path)
      libc.close(fd)
      return failed
    }
    const known = this.#byWd.get(wd)
    if (known !== undefined) {
      libc.close(fd)
      if (parent !== undefined) known.moveTo(parent, name)
      return known
    }
    const place = new Place(wd, fd, looked, fresh, name, parent)
    this.#byWd.set(wd, place)
    return place
  }

  #failed(call: string, path: string): Unwatched {
    const error = libc.errorName()
    if (error === 'ENOENT' || error === 'ENOTDIR' || error === 'ELOOP') return 'gone'
    if (error === 'ENOSPC') return this.#refused("the kernel's limit of watches (fs.inotify.max_user_watches)", path)
    if (error === 'EMFILE' || error === 'ENFILE') return this.#refused('the limit of open files', path)
    this.#recorder.lost('watcher', `a directory cannot be watched: ${call} failed with ${error}`, path)
    return 'refused'
  }

  #refused(what: string, path: string): Unwatched {
    // Said once: a flood of directories would only repeat it.
    if (!this.#full) this.#recorder.lost('watch-limit', `not every directory is watched: ${what} was reached`, path)
    this.#full = true
    return 'refused'
  }

  /** It was deleted, or is no longer to be watched; and so is everything below it. */
  forget(place: Place, deleted: boolean): void {
    place.detach()
    const waiting = [place]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      waiting.push(...next.children.values())
      if (!deleted) removeWatch(this.#inotify, next.wd)
      // The handle was what kept the inode of a deleted directory; the kernel drops the watch with it.
      if (this.#byWd.delete(next.wd)) next.close()
    }
  }

  /** Calls `each` for everything in `place`. Answers false when it cannot be listed. */
  list(place: Place, each: (name: string, isDirectory: boolean) => void): boolean {
    const fd = libc.openat(place.fd, dot, libc.openDirectory)
    if (fd < 0) return false
    let filled = 0
    while ((filled = libc.getdents(fd, batch, batch.length)) > 0) {
      for (let at = 0; at < filled; at += batch.readUInt16LE(at + 16)) {
        const kind = batch[at + 18]
        const name = batch.toString('latin1', at + 19, batch.indexOf(0, at + 19))
        if (name === '.' || name === '..') continue
        const isDirectory =
          kind === unknownKind ? lookAt(place.fd, libc.cName(name))?.type === 'directory' : kind === directoryKind
        each(name, isDirectory)
      }
    }
    libc.close(fd)
    return filled === 0
  }

  [Symbol.dispose](): void {
    for (const place of this.#byWd.values()) place.close()
    this.#byWd.clear()
  }
}

function isOtherMount(above: Looked, below: Looked): boolean {
  if (above.mount !== 0 && below.mount !== 0) return above.mount !== below.mount
  return above.dev !== below.dev
}
