import type { DecoyState, DecoyUse, LiveEvent, LiveObservation, PageDecoy } from '@landfall/contracts'

/** What was done to each decoy so far, gathered over many comparisons and from the live witness. */

const mostUses = 50

interface Followed {
  readonly name: string
  readonly path: string
  state: PageDecoy['state']
  readonly uses: Map<string, DecoyUse>
  moreUses: number
}

export type LiveDecoys = Pick<LiveObservation, 'decoyReads' | 'transientCopies'>

export class DecoyLog {
  readonly #followed: readonly Followed[]

  constructor(decoys: readonly { readonly name: string; readonly path: string }[], state: PageDecoy['state']) {
    this.#followed = decoys.map(({ name, path }) => ({ name, path, state, uses: new Map(), moreUses: 0 }))
  }

  /** A comparison. A decoy that was linked or copied once has been, whatever became of it. */
  see(decoys: readonly DecoyState[]): void {
    for (const { name, path, state, hardLinks, symlinks, copies } of decoys) {
      const followed = this.#find(name, path)
      if (followed === undefined) continue
      // A restored decoy was changed all the same; one that is deleted is more than changed.
      if (state !== 'intact' || followed.state === 'watching') followed.state = state
      for (const link of hardLinks) this.#use(followed, { how: 'hard-linked', path: link })
      for (const link of symlinks) this.#use(followed, { how: 'linked', path: link })
      for (const copy of copies) this.#use(followed, { how: 'copied', path: copy })
    }
  }

  live({ decoyReads, transientCopies }: LiveDecoys): void {
    for (const { decoy, path, by, count } of decoyReads) {
      const followed = this.#find(decoy, path)
      if (followed !== undefined) this.#use(followed, { how: by === 'read' ? 'read' : 'opened', count })
    }
    for (const { decoy, path } of transientCopies) {
      for (const followed of this.#followed.filter(({ name }) => name === decoy)) {
        this.#use(followed, { how: 'copied', path, gone: true })
      }
    }
  }

  /** Reads as they come; the count at the end takes their place. Answers whether there was any. */
  happened(events: readonly LiveEvent[]): boolean {
    const reads = events.filter(({ kind }) => kind === 'read' || kind === 'opened')
    for (const { kind, path, times } of reads) {
      for (const followed of this.#followed.filter((decoy) => decoy.path === path)) {
        const how = kind === 'read' ? 'read' : 'opened'
        const count = (followed.uses.get(`${how} `)?.count ?? 0) + times
        this.#use(followed, { how, count })
      }
    }
    return reads.length > 0
  }

  result(): PageDecoy[] {
    return this.#followed.map(({ uses, ...rest }) => ({ ...rest, uses: [...uses.values()] }))
  }

  #find(name: string, path: string): Followed | undefined {
    return this.#followed.find((followed) => followed.name === name && followed.path === path)
  }

  #use(followed: Followed, use: DecoyUse): void {
    const key = `${use.how} ${use.path ?? ''}`
    if (followed.uses.size >= mostUses && !followed.uses.has(key)) followed.moreUses += 1
    else followed.uses.set(key, use)
  }
}
