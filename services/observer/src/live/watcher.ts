import type { LiveObservation } from '@landfall/contracts'
import * as libc from '../libc.ts'
import { Arrivals, idOf } from './arrivals.ts'
import type { WatchedDecoy } from './decoy-watch.ts'
import { DecoyWatch } from './decoy-watch.ts'
import type { Subject } from './fleeting.ts'
import { Fleeting } from './fleeting.ts'
import { bits, inotifyInit, quietFlags, read, realtimeUs } from './kernel.ts'
import type { LiveLimits } from './limits.ts'
import type { Looked } from './look.ts'
import { isSame, lookAt } from './look.ts'
import type { Place } from './place.ts'
import type { Root } from './places.ts'
import { Places } from './places.ts'
import { decodeEvents } from './raw.ts'
import { Recorder } from './recorder.ts'
import { Renames } from './renames.ts'
import type { LiveSoFar, Standing } from './witness.ts'

/**
 * Witness W3: follows everything below the held roots by inotify, in the order in which the kernel queued it.
 *
 * Nothing here waits. A new directory is watched first and looked into after, so what is in it is seen at least once;
 * what may have come and gone before is said as `late`. The same thing may be seen twice, by an event and by a look,
 * and is told once.
 */
export interface WatcherOptions {
  /** Descriptors that become the watcher's own. The first is the root. */
  readonly roots: readonly Root[]
  /** Mount points: what stands there is held on its own, or not to be entered. */
  readonly points: ReadonlySet<string>
  readonly subject: Subject
  readonly limits: LiveLimits
  /** Milliseconds since the observation began. */
  readonly elapsedMs: () => number
}

/** A directory on its way from one name to another. */
interface Moving {
  readonly place: Place
  readonly name: string
  readonly path: string
  readonly isDirectory: boolean
  readonly child: Place | undefined
}

const buffer = Buffer.allocUnsafe(256 * 1024)

export class Watcher implements Disposable {
  readonly recorder: Recorder
  readonly #options: WatcherOptions
  readonly #inotify: number
  readonly #places: Places
  readonly #decoys: DecoyWatch
  readonly #fleeting: Fleeting
  readonly #renames: Renames<Moving>
  /** Directories whose name was taken by a rename: they are about to be renamed themselves, or are gone. */
  readonly #displaced = new Map<string, Place>()
  readonly #arrivals: Arrivals
  #root: Place | undefined
  #overflowed = false

  constructor(options: WatcherOptions) {
    const { limits } = options
    this.#options = options
    this.recorder = new Recorder(limits)
    this.#inotify = inotifyInit(quietFlags)
    if (this.#inotify < 0)
      this.recorder.lost('watcher', `there is no watcher: inotify_init failed with ${libc.errorName()}`)
    this.#places = new Places(this.#inotify, this.recorder, limits)
    this.#decoys = new DecoyWatch(this.#inotify, this.recorder)
    this.#fleeting = new Fleeting(options.subject, limits)
    this.#renames = new Renames(limits.renameMs)
    this.#arrivals = new Arrivals({
      places: this.#places,
      fleeting: this.#fleeting,
      recorder: this.recorder,
      points: options.points,
      names: limits.names,
    })
  }

  /** To be waited on. */
  get descriptor(): number {
    return this.#inotify
  }

  /** Watches everything that is there. What happens meanwhile is queued by the kernel. */
  start(): void {
    for (const root of this.#options.roots) {
      const place = this.#places.addRoot(root)
      this.#root ??= place
      if (place !== undefined) this.#arrivals.scan(place)
    }
    this.beat()
  }

  arm(decoys: readonly WatchedDecoy[]): void {
    const root = this.#root
    if (root !== undefined) for (const decoy of decoys) this.#decoys.add(root.fd, decoy)
  }

  /** See {@link DecoyWatch.own}. What is queued at the border belongs to the time before it. */
  own(reading: boolean, readDecoys?: boolean): void {
    this.drain()
    this.#decoys.own(reading, readDecoys)
  }

  soFar(): LiveSoFar {
    const { losses } = this.recorder.result()
    return { decoyReads: this.#decoys.result(), transientCopies: this.#fleeting.result().transientCopies, losses }
  }

  beat(): void {
    this.recorder.beat(this.#options.elapsedMs())
  }

  /** Takes in one buffer of events. Answers false when there were none. */
  pump(): boolean {
    const length = read(this.#inotify, buffer, buffer.length)
    this.beat()
    if (length > 0) {
      this.#arrivals.readAtUs = realtimeUs()
      decodeEvents(buffer, length, (wd, mask, cookie, name) => this.#event(wd, mask, cookie, name))
    }
    for (const moving of this.#renames.expired(this.recorder.nowMs)) this.#left(moving)
    if (length <= 0) this.#settle()
    if (this.#overflowed) this.#lookAgain()
    return length > 0
  }

  /** Takes in what is queued, for at most `limitMs`. Answers whether that was all. */
  drain(limitMs = 2_000): boolean {
    const end = this.#options.elapsedMs() + limitMs
    while (this.pump()) if (this.#options.elapsedMs() > end) return false
    return true
  }

  /** Ends, and says everything. */
  finish(): { live: Omit<LiveObservation, 'monotonicNs'>; standing: Standing | undefined } {
    if (!this.drain()) this.recorder.lost('watcher', 'events still came when the observation ended')
    for (const moving of this.#renames.expired(Infinity)) this.#left(moving)
    this.#decoys.stop()
    const { counts, ...rest } = this.recorder.result()
    const live = {
      ...rest,
      ...this.#fleeting.result(),
      decoyReads: this.#decoys.result(),
      counts: { ...counts, standing: this.#arrivals.standing, watches: this.#places.size },
    }
    const places = this.#places.all()
    const moved = places.filter((place) => !place.fresh && place.parent?.born.has(place.name) === true)
    const paths = this.#standing(places)
    return { live, standing: paths && { paths, moved: moved.map(({ path }) => path), atMs: Date.now() } }
  }

  /** Undefined when there are more than can be handed on. */
  #standing(places: readonly Place[]): string[] | undefined {
    const { standing, standingBytes } = this.#options.limits
    const paths: string[] = []
    let bytes = 0
    for (const place of places) {
      const { length } = place.path
      for (const name of place.born.keys()) {
        bytes += length + 1 + name.length
        if (paths.length >= standing || bytes > standingBytes) return undefined
        paths.push(place.at(name))
      }
    }
    return paths
  }

  [Symbol.dispose](): void {
    this.#fleeting[Symbol.dispose]()
    this.#places[Symbol.dispose]()
    if (this.#inotify >= 0) libc.close(this.#inotify)
  }

  #event(wd: number, mask: number, cookie: number, name: string): void {
    this.recorder.raw += 1
    if ((mask & bits.overflow) !== 0) {
      this.recorder.lost('overflow', "the kernel's queue of events was full and some were dropped")
      this.#overflowed = true
      return
    }
    if (this.#decoys.has(wd)) return this.#decoys.event(wd, mask)
    const place = this.#places.get(wd)
    if (place === undefined) return
    if ((mask & bits.ignored) !== 0) {
      this.recorder.lost('watcher', 'the kernel dropped the watch of a directory', place.path)
      return this.#places.forget(place, true)
    }
    if (name === '') {
      if (place.parent === undefined && (mask & bits.attrib) !== 0) this.#changed(place.path, lookAt(place.fd))
      return
    }
    place.used = true
    this.#named(place, mask, cookie, name)
  }

  #named(place: Place, mask: number, cookie: number, name: string): void {
    const isDirectory = (mask & bits.isDirectory) !== 0
    if ((mask & bits.create) !== 0) this.#arrivals.appeared(place, name, isDirectory, 'event')
    else if ((mask & bits.delete) !== 0) this.#deleted(place, name, isDirectory)
    else if ((mask & bits.movedFrom) !== 0) this.#moves(place, name, isDirectory, cookie)
    else if ((mask & bits.movedTo) !== 0) this.#moved(place, name, isDirectory, cookie)
    else if ((mask & bits.attrib) !== 0) this.#changed(place.at(name), lookAt(place.fd, libc.cName(name)))
    else this.#written(place, name, (mask & bits.modify) !== 0)
  }

  #changed(path: string, looked: Looked | undefined): void {
    this.recorder.tell({ kind: 'mode', path, type: looked?.type, mode: looked?.mode, found: 'event' })
  }

  /** Closing after being open for writing says something new only when no write was seen: it was mapped, or emptied. */
  #written(place: Place, name: string, isWrite: boolean): void {
    const path = place.at(name)
    if (!isWrite && this.recorder.lastWas(path, 'written', 'created')) return
    this.recorder.tell({ kind: 'written', path, type: this.#fleeting.typeOf(idOf(place, name)), found: 'event' })
  }

  #late(path: string, detail: string): void {
    this.recorder.lost('late', detail, path)
  }

  #deleted(place: Place, name: string, isDirectory: boolean): void {
    const path = place.at(name)
    const id = idOf(place, name)
    const type = isDirectory ? ('directory' as const) : this.#fleeting.typeOf(id)
    this.recorder.tell({ kind: 'deleted', path, type, found: 'event' })
    this.#passed(place, name, path, type)
    this.#fleeting.gone(id, path)
    if (isDirectory) this.#deletedDirectory(place, name, path)
  }

  /** The name stands there no more; if it came during the trial, it was there only for a moment. */
  #passed(place: Place, name: string, path: string, type: Looked['type'] | undefined): void {
    const createdMs = place.born.get(name)
    if (createdMs !== undefined) this.#arrivals.unbear(place, name)
    this.#fleeting.nameGone(name, path)
    if (createdMs !== undefined || place.fresh) this.recorder.gone({ path, type, createdMs })
  }

  #deletedDirectory(place: Place, name: string, path: string): void {
    const child = place.children.get(name)
    if (child === undefined) {
      if (place.unreached.delete(name)) this.#late(path, 'this directory came and went before it could be watched')
      return
    }
    const now = lookAt(place.fd, libc.cName(name))
    if (now !== undefined && isSame(now, child.inode)) {
      // Another one of this name was deleted, and this one came after it: it was opened in its place.
      this.#late(path, 'an earlier directory of this name came and went before it could be watched')
      this.#arrivals.bear(place, name)
      return
    }
    if (child.fresh && !child.used) this.#late(path, 'this directory came and went, and nothing in it was seen')
    for (const inside of child.born.keys()) this.#passed(child, inside, child.at(inside), undefined)
    this.#places.forget(child, true)
  }

  #moves(place: Place, name: string, isDirectory: boolean, cookie: number): void {
    const path = place.at(name)
    const id = idOf(place, name)
    const child = this.#displaced.get(id) ?? place.children.get(name)
    this.#displaced.delete(id)
    // After an exchange another directory bears the name already.
    if (child !== undefined && place.children.get(name) === child) child.detach()
    this.#arrivals.unbear(place, name)
    this.#fleeting.nameGone(name, path)
    const lost = this.#renames.left(cookie, { place, name, path, isDirectory, child }, this.recorder.nowMs)
    if (lost !== undefined) this.#left(lost)
  }

  #moved(place: Place, name: string, isDirectory: boolean, cookie: number): void {
    const moving = this.#renames.arrived(cookie)
    const path = place.at(name)
    const id = idOf(place, name)
    this.#fleeting.gone(id, path)
    if (moving === undefined) return void this.#arrivals.appeared(place, name, isDirectory, 'event')
    const replaced = place.children.get(name)
    if (replaced !== undefined && replaced !== moving.child) {
      replaced.detach()
      this.#displaced.set(id, replaced)
    }
    this.#fleeting.rename(idOf(moving.place, moving.name), id)
    const type = isDirectory ? ('directory' as const) : this.#fleeting.typeOf(id)
    this.recorder.tell({ kind: 'renamed', path, from: moving.path, type, found: 'event' })
    this.#arrivals.bear(place, name)
    if (!isDirectory) return
    moving.place.unreached.delete(moving.name)
    if (moving.child !== undefined && this.#places.get(moving.child.wd) === moving.child) {
      moving.child.moveTo(place, name)
      return
    }
    const child = place.children.has(name) ? undefined : this.#arrivals.open(place, name)
    if (child !== undefined) this.#arrivals.scan(child)
  }

  /** The second half of a rename did not come: it was moved to where nothing is watched. */
  #left({ path, isDirectory, child, place, name }: Moving): void {
    this.recorder.tell({ kind: 'deleted', path, ...(isDirectory ? { type: 'directory' } : {}), found: 'event' })
    this.#fleeting.gone(idOf(place, name), path)
    if (!isDirectory) return
    this.#late(path, 'this directory was moved to where nothing is watched')
    if (child !== undefined) this.#places.forget(child, false)
  }

  /** Nothing more came: what a rename took the place of is gone. */
  #settle(): void {
    for (const place of this.#displaced.values()) this.#places.forget(place, false)
    this.#displaced.clear()
  }

  /** After dropped events: finds directories that are not watched yet, and new things in new ones. */
  #lookAgain(): void {
    this.#overflowed = false
    for (const place of this.#places.all()) {
      if (this.#places.get(place.wd) === place) this.#arrivals.scan(place)
    }
    this.beat()
  }
}
