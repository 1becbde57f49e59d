import type { Blindness } from '@landfall/contracts'
import { wire } from './entry.ts'
import { listedBlindness } from './limits.ts'

/**
 * Collects what could not be seen. A victim can make as many unreadable things as it likes, so the list is
 * bounded and its last item counts the rest; which parts of the tree are uncertain is kept in full.
 */
export class BlindSpots {
  readonly #listed: Blindness[] = []
  readonly #unread: string[] = []
  #more = 0
  #everywhere = false

  /** `key` is the path in latin1, when the blindness has a place. */
  add(kind: Blindness['kind'], detail: string, key?: string): void {
    if (this.#listed.length >= listedBlindness) this.#more += 1
    else this.#listed.push({ kind, detail, ...(key === undefined ? {} : { path: wire(key) }) })
  }

  /** Like {@link add}, and what stands at and below `key` is unknown from here on. */
  addSubtree(kind: Blindness['kind'], detail: string, key: string): void {
    this.add(kind, detail, key)
    if (this.#unread.length < listedBlindness) this.#unread.push(key)
    else this.#everywhere = true
  }

  /** Like {@link add}, and the walk has ended early, so that nothing can be called absent. */
  addEverywhere(kind: Blindness['kind'], detail: string, key?: string): void {
    this.add(kind, detail, key)
    this.#everywhere = true
  }

  /** Whether an entry that was not met at `key` may exist all the same. */
  mayHide(key: string): boolean {
    if (this.#everywhere) return true
    return this.#unread.some((dir) => key === dir || key.startsWith(dir === '/' ? '/' : `${dir}/`))
  }

  list(): Blindness[] {
    if (this.#more === 0) return [...this.#listed]
    const last = this.#listed.at(-1)
    return [
      ...this.#listed,
      { kind: last?.kind ?? 'unreadable', detail: `and ${this.#more} more of the same or other kinds` },
    ]
  }
}
