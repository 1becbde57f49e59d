import * as libc from '../libc.ts'
import type { Fleeting } from './fleeting.ts'
import { mayHaveMissed, tickUs } from './late.ts'
import type { Looked } from './look.ts'
import { isSame, lookAt, targetOf } from './look.ts'
import type { Place } from './place.ts'
import type { Places } from './places.ts'
import type { Recorder } from './recorder.ts'

/**
 * What appears: told by an event, or found by looking into a directory that has just become watched. The same thing
 * may be met both ways, and is told once; which names stand is kept for that.
 */
export interface ArrivalsParts {
  readonly places: Places
  readonly fleeting: Fleeting
  readonly recorder: Recorder
  readonly points: ReadonlySet<string>
  /** Names that are remembered at most. */
  readonly names: number
}

/** A name in a directory, as {@link Fleeting} knows it. */
export function idOf(place: Place, name: string): string {
  return `${place.wd}/${name}`
}

export class Arrivals {
  /** Names that appeared and still stand. */
  standing = 0
  /** When the present events were read, in microseconds of the clock by which file systems date. */
  readAtUs = 0
  readonly #parts: ArrivalsParts

  constructor(parts: ArrivalsParts) {
    this.#parts = parts
  }

  /** Answers what it is, when it is still there. */
  appeared(place: Place, name: string, isDirectory: boolean, found: 'event' | 'scan'): Looked | undefined {
    if (isDirectory) {
      const child = this.#enter(place, name, found)
      if (child !== undefined) this.scan(child)
      return undefined
    }
    if (place.born.has(name)) return undefined
    const fd = libc.openat(place.fd, libc.cName(name), libc.openHandle)
    const looked = fd < 0 ? undefined : lookAt(fd)
    this.bear(place, name)
    const target = looked?.type === 'symlink' ? targetOf(fd) : undefined
    const linked = looked?.type === 'file' && looked.links > 1
    if (looked !== undefined && looked.type !== 'directory') this.#remember(place, name, fd, looked, target)
    else if (fd >= 0) libc.close(fd)
    const type = looked?.type === 'directory' ? undefined : looked?.type
    this.#parts.recorder.tell({ kind: linked ? 'linked' : 'created', path: place.at(name), type, target, found })
    if (found === 'event' && !linked && looked?.bornUs !== undefined) {
      this.#parts.recorder.latency.add(Math.max(0, this.readAtUs - looked.bornUs))
    }
    return looked
  }

  #remember(place: Place, name: string, fd: number, { type }: Looked, target: string | undefined): void {
    const keep = type === 'file'
    if (!keep) libc.close(fd)
    this.#parts.fleeting.remember(idOf(place, name), {
      type,
      ...(keep ? { fd } : {}),
      ...(target === undefined ? {} : { target }),
    })
  }

  bear(place: Place, name: string): void {
    if (this.standing >= this.#parts.names) {
      if (this.standing === this.#parts.names) {
        this.#parts.recorder.lost('watch-limit', `no more than ${this.#parts.names} new names are remembered`)
      }
      this.standing += 1
      return
    }
    if (place.born.has(name)) return
    place.born.set(name, this.#parts.recorder.nowMs)
    this.standing += 1
  }

  /** A new directory, or one that stands there again. Answers it when it must be looked into. */
  #enter(parent: Place, name: string, found: 'event' | 'scan'): Place | undefined {
    const known = parent.children.get(name)
    if (known !== undefined) {
      const now = lookAt(parent.fd, libc.cName(name))
      if (now !== undefined && isSame(now, known.inode)) return undefined
      this.#parts.places.forget(known, true)
    }
    if (!parent.born.has(name)) {
      this.bear(parent, name)
      this.#parts.recorder.tell({ kind: 'created', path: parent.at(name), type: 'directory', found })
    }
    return this.open(parent, name)
  }

  open(parent: Place, name: string): Place | undefined {
    const size = this.#parts.places.size
    const opened = this.#parts.places.open(parent, name, true)
    if (opened === 'gone') parent.unreached.add(name)
    if (opened === 'gone' || opened === 'refused') return undefined
    parent.unreached.delete(name)
    // One that was watched already, under its earlier name, has been looked into.
    return this.#parts.places.size > size ? opened : undefined
  }

  /** Looks into directories that are watched from now on. What is in a new one is told; what was there before is not. */
  scan(first: Place): void {
    const waiting = [first]
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      const parent = place
      const before = parent.fresh ? lookAt(parent.fd) : undefined
      let nearestUs = Infinity
      const near = (looked: Looked | undefined): void => {
        if (looked === undefined || before === undefined) return
        nearestUs = Math.min(
          nearestUs,
          Math.abs(before.modifiedUs - (looked.bornUs ?? looked.changedUs)),
          Math.abs(before.modifiedUs - looked.changedUs),
        )
      }
      const listed = this.#parts.places.list(parent, (name, isDirectory) => {
        parent.used = true
        if (!isDirectory) {
          if (parent.fresh) near(this.appeared(parent, name, false, 'scan') ?? lookAt(parent.fd, libc.cName(name)))
          return
        }
        if (this.#parts.points.has(parent.at(name))) return
        if (parent.fresh && nearestUs > tickUs) near(lookAt(parent.fd, libc.cName(name)))
        const child = parent.fresh ? this.#enter(parent, name, 'scan') : this.#find(parent, name)
        if (child !== undefined) waiting.push(child)
      })
      if (!listed) this.#unlisted(parent)
      if (before !== undefined && mayHaveMissed({ bornUs: before.bornUs, modifiedUs: before.modifiedUs, nearestUs })) {
        this.#parts.recorder.lost(
          'late',
          'something may have come and gone in this directory before it could be watched',
          parent.path,
        )
      }
    }
  }

  #unlisted(place: Place): void {
    const error = libc.errorName()
    // Deleted already: what is said of it when its deletion is read says this too.
    if (error !== 'ENOENT') this.#parts.recorder.lost('watcher', `a directory cannot be listed: ${error}`, place.path)
  }

  #find(parent: Place, name: string): Place | undefined {
    if (parent.children.has(name)) return undefined
    const found = this.#parts.places.open(parent, name, false)
    return found === 'gone' || found === 'refused' ? undefined : found
  }

  unbear(place: Place, name: string): void {
    if (place.born.delete(name)) this.standing -= 1
  }
}
