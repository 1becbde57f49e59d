import { constants } from 'node:fs'
import type { EntryType, LiveObservation } from '@landfall/contracts'
import { wire } from '../entry.ts'
import * as libc from '../libc.ts'
import { findTokens, TokenStream } from '../search.ts'
import { descriptorPath, read } from './kernel.ts'
import type { LiveLimits } from './limits.ts'

/**
 * Remembers new things a little, so that what they were can still be said when they are gone. A new file is held by a
 * handle, which keeps its inode: its content can be read after it was deleted, and nothing of that is seen by a victim.
 */
export interface Subject {
  readonly tokens: ReadonlyMap<string, { readonly fixture: string; readonly site: string }>
  /** Token of a decoy to its name. */
  readonly decoys: ReadonlyMap<string, string>
}

export interface Remembered {
  readonly type: EntryType
  /** Handle of a regular file. */
  readonly fd?: number
  readonly target?: string
}

type Sightings = LiveObservation['transientSightings']
type Place = Sightings[number]['place']

const chunk = Buffer.allocUnsafe(64 * 1024)
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | libc.flags.closeOnExec

export class Fleeting implements Disposable {
  readonly #subject: Subject
  readonly #limits: LiveLimits
  readonly #known = new Map<string, Remembered>()
  readonly #sightings: Sightings = []
  readonly #copies: LiveObservation['transientCopies'] = []
  readonly #told = new Set<string>()
  #bytesLeft: number
  #toldBytes = 0

  constructor(subject: Subject, limits: LiveLimits) {
    this.#subject = subject
    this.#limits = limits
    this.#bytesLeft = limits.contentBytes
  }

  /** `id` names a directory and a name in it. The oldest is forgotten when there are too many. */
  remember(id: string, thing: Remembered): void {
    this.forget(id)
    this.#known.set(id, thing)
    if (this.#known.size <= this.#limits.heldFiles) return
    const oldest = this.#known.keys().next().value
    if (oldest !== undefined) this.forget(oldest)
  }

  rename(from: string, to: string): void {
    const thing = this.#known.get(from)
    if (thing === undefined) return
    this.#known.delete(from)
    this.remember(to, thing)
  }

  typeOf(id: string): EntryType | undefined {
    return this.#known.get(id)?.type
  }

  forget(id: string): void {
    const fd = this.#known.get(id)?.fd
    if (fd !== undefined) libc.close(fd)
    this.#known.delete(id)
  }

  /** It was deleted, or something took its place: says which tokens it held, and forgets it. */
  gone(id: string, path: string): void {
    const thing = this.#known.get(id)
    if (thing === undefined) return
    if (thing.target !== undefined) this.#searchText(thing.target, path, 'target')
    if (thing.fd !== undefined) this.#searchContent(thing.fd, path)
    this.forget(id)
  }

  /** The name at the end of `path` stands there no more. */
  nameGone(name: string, path: string): void {
    if (name.includes('LFC-')) this.#searchText(name, path, 'name')
  }

  result(): Pick<LiveObservation, 'transientSightings' | 'transientCopies'> {
    return { transientSightings: this.#sightings, transientCopies: this.#copies }
  }

  [Symbol.dispose](): void {
    for (const id of this.#known.keys()) this.forget(id)
  }

  #searchText(text: string, path: string, place: Place): void {
    findTokens(Buffer.from(text, 'latin1'), (token) => this.#found(token, path, place))
  }

  #searchContent(handle: number, path: string): void {
    if (this.#bytesLeft <= 0) return
    const fd = libc.openat(-1, descriptorPath(handle), readFlags)
    if (fd < 0) return
    const known = { has: (token: string) => this.#subject.tokens.has(token) || this.#subject.decoys.has(token) }
    const stream = new TokenStream(known, 0)
    for (let left = Math.min(this.#limits.fileBytes, this.#bytesLeft); left > 0;) {
      const got = read(fd, chunk, Math.min(chunk.length, left))
      if (got <= 0) break
      stream.feed(chunk.subarray(0, got))
      left -= got
      this.#bytesLeft -= got
    }
    libc.close(fd)
    for (const token of stream.found.keys()) this.#found(token, path, 'content')
  }

  #found(token: string, path: string, place: Place): void {
    const line = `${token} ${place} ${path}`
    if (this.#told.size >= this.#limits.transient || this.#toldBytes > this.#limits.transientBytes) return
    if (this.#told.has(line)) return
    const site = this.#subject.tokens.get(token)
    const decoy = this.#subject.decoys.get(token)
    if (site !== undefined) this.#sightings.push({ fixture: site.fixture, site: site.site, path: wire(path), place })
    else if (decoy !== undefined) this.#copies.push({ decoy, path: wire(path) })
    else return
    this.#told.add(line)
    this.#toldBytes += line.length
  }
}
