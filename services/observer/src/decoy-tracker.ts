import type { DecoyState } from '@landfall/contracts'
import type { Content } from './content.ts'
import type { RawEntry } from './entry.ts'
import { sameInode, wire } from './entry.ts'
import type { Resolved } from './resolve.ts'

/** Follows the decoys of a trial: what they were at the start, and what an after-walk tells about them. */

export interface CapturedDecoy {
  readonly name: string
  readonly key: string
  readonly token: string
  /** Absent when nothing stood there at the start. */
  readonly entry?: RawEntry
  readonly sha256?: string
}

export class DecoyTracker {
  readonly #followed: readonly Followed[]
  readonly #byKey: ReadonlyMap<string, Followed>

  constructor(decoys: readonly CapturedDecoy[]) {
    this.#followed = decoys.map((decoy) => new Followed(decoy))
    this.#byKey = new Map(this.#followed.map((followed) => [followed.decoy.key, followed]))
  }

  /** Every entry of the later state passes here, changed or not. */
  seen(key: string, entry: RawEntry): void {
    const followed = this.#byKey.get(key)
    if (followed !== undefined) followed.now = entry
  }

  /** An entry that is new or changed, with what was found out about it. */
  differs(key: string, entry: RawEntry, content: Content | undefined, resolved: Resolved | undefined): void {
    for (const followed of this.#followed) followed.differs(key, entry, content, resolved)
  }

  result(): DecoyState[] {
    return this.#followed.map((followed) => followed.result())
  }
}

class Followed {
  readonly decoy: CapturedDecoy
  now?: RawEntry
  #sha256: string | undefined
  readonly #hardLinks: string[] = []
  readonly #symlinks: string[] = []
  readonly #copies: string[] = []

  constructor(decoy: CapturedDecoy) {
    this.decoy = decoy
    this.#sha256 = decoy.sha256
  }

  differs(key: string, entry: RawEntry, content: Content | undefined, resolved: Resolved | undefined): void {
    const { decoy } = this
    if (key === decoy.key) {
      this.#sha256 = content?.sha256
      return
    }
    const isDecoy = decoy.entry !== undefined && sameInode(entry, decoy.entry)
    if (isDecoy) this.#hardLinks.push(key)
    else if (content?.tokens.has(decoy.token) === true) this.#copies.push(key)
    if (resolved === undefined) return
    if (resolved.key === decoy.key || (decoy.entry !== undefined && sameInode(resolved.entry, decoy.entry))) {
      this.#symlinks.push(key)
    }
  }

  result(): DecoyState {
    const { decoy, now } = this
    // A link that nobody met is still a link: the decoy's own count tells, and its own path stands for it.
    const unseenLink = this.#hardLinks.length === 0 && (now?.links ?? 0) > (decoy.entry?.links ?? Infinity)
    return {
      name: decoy.name,
      path: wire(decoy.key),
      state: this.#state(),
      hardLinks: (unseenLink ? [decoy.key] : this.#hardLinks).map(wire),
      symlinks: this.#symlinks.map(wire),
      copies: this.#copies.map(wire),
    }
  }

  #state(): DecoyState['state'] {
    const before = this.decoy.entry
    if (before === undefined) return 'missing'
    if (this.now === undefined) return 'deleted'
    const intact =
      sameInode(this.now, before) &&
      this.now.type === before.type &&
      this.now.mode === before.mode &&
      this.#sha256 === this.decoy.sha256
    return intact ? 'intact' : 'changed'
  }
}
