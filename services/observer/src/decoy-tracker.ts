import type { DecoyState } from '@landfall/contracts'
import type { Content } from './content.ts'
import type { RawEntry } from './entry.ts'
import { sameInode, wire } from './entry.ts'
import type { Manifest, ManifestNode } from './manifest.ts'
import type { Resolved } from './resolve.ts'

/** Follows the decoys of a trial: what they were at the start, and what an after-walk tells about them. */

export interface CapturedDecoy {
  readonly name: string
  readonly key: string
  readonly token: string
  /** Absent when nothing stood there at the start. */
  readonly entry?: RawEntry
  readonly sha256?: string
  /** The walk at the start could not tell whether something stood there. */
  readonly hidden?: boolean
}

export class DecoyTracker {
  readonly #followed: readonly Followed[]
  readonly #byNode = new Map<ManifestNode, Followed>()

  constructor(decoys: readonly CapturedDecoy[], before: Manifest) {
    this.#followed = decoys.map((decoy) => new Followed(decoy))
    for (const followed of this.#followed) {
      const node = before.find(followed.decoy.key)
      if (node !== undefined) this.#byNode.set(node, followed)
    }
  }

  /** Every entry of the later state passes here, changed or not, with what stood in its place before. */
  met(before: ManifestNode | undefined, entry: RawEntry): void {
    const followed = before === undefined ? undefined : this.#byNode.get(before)
    if (followed !== undefined) followed.now = entry
  }

  /** An entry that is new or changed, with what was found out about it. */
  differs(
    before: ManifestNode | undefined,
    key: () => string,
    entry: RawEntry,
    content: Content | undefined,
    resolved: Resolved | undefined,
  ): void {
    const own = before === undefined ? undefined : this.#byNode.get(before)
    own?.rewritten(content)
    for (const followed of this.#followed) {
      if (followed !== own) followed.other(key, entry, content, resolved)
    }
  }

  /** `mayHide` says whether an entry that was not met at a path may exist all the same. */
  result(mayHide: (key: string) => boolean): DecoyState[] {
    return this.#followed.map((followed) => followed.result(mayHide))
  }
}

class Followed {
  readonly decoy: CapturedDecoy
  now?: RawEntry
  #sha256: string | undefined
  #unread = false
  readonly #hardLinks: string[] = []
  readonly #symlinks: string[] = []
  readonly #copies: string[] = []

  constructor(decoy: CapturedDecoy) {
    this.decoy = decoy
    this.#sha256 = decoy.sha256
  }

  /** The decoy itself is not what it was. */
  rewritten(content: Content | undefined): void {
    this.#sha256 = content?.sha256
    this.#unread = content?.sha256 === undefined
  }

  other(key: () => string, entry: RawEntry, content: Content | undefined, resolved: Resolved | undefined): void {
    const { decoy } = this
    const isDecoy = decoy.entry !== undefined && sameInode(entry, decoy.entry)
    if (isDecoy) this.#hardLinks.push(key())
    else if (content?.tokens.has(decoy.token) === true) this.#copies.push(key())
    if (resolved === undefined) return
    if (resolved.key === decoy.key || (decoy.entry !== undefined && sameInode(resolved.entry, decoy.entry))) {
      this.#symlinks.push(key())
    }
  }

  result(mayHide: (key: string) => boolean): DecoyState {
    const { decoy, now } = this
    // A link that nobody met is still a link: the decoy's own count tells, and its own path stands for it.
    const unseenLink = this.#hardLinks.length === 0 && (now?.links ?? 0) > (decoy.entry?.links ?? Infinity)
    return {
      name: decoy.name,
      path: wire(decoy.key),
      state: this.#state(mayHide),
      hardLinks: (unseenLink ? [decoy.key] : this.#hardLinks).map(wire),
      symlinks: this.#symlinks.map(wire),
      copies: this.#copies.map(wire),
    }
  }

  #state(mayHide: (key: string) => boolean): DecoyState['state'] {
    const before = this.decoy.entry
    if (before === undefined) return this.decoy.hidden === true ? 'unknown' : 'missing'
    if (this.now === undefined) return mayHide(this.decoy.key) ? 'unknown' : 'deleted'
    const same = sameInode(this.now, before) && this.now.type === before.type && this.now.mode === before.mode
    if (!same) return 'changed'
    if (this.#unread && this.now.type === 'file' && this.now.size === before.size) return 'unknown'
    return this.#sha256 === this.decoy.sha256 ? 'intact' : 'changed'
  }
}
