import { bits, type NameIn, type RawEvent } from './fanotify.ts'

/** Puts paths to what fanotify tells, and counts what came, went and stands. Pure: nothing is looked at. */

export interface ExactEvent {
  readonly kind: 'created' | 'deleted' | 'renamed' | 'written' | 'mode' | 'read' | 'overflow'
  /** Bytes in latin1, below the file system's root; absent when a directory of it is not known. */
  readonly path?: string
  /** Of `renamed`. */
  readonly from?: string
}

export class ExactTree {
  readonly #root: string
  readonly #directories = new Map<string, NameIn>()
  readonly #standing = new Set<string>()
  readonly #transient = new Set<string>()
  #overflows = 0

  constructor(root: string) {
    this.#root = root
  }

  /** A directory that was there already. */
  know(handle: string, at: NameIn): void {
    if (!this.#directories.has(handle)) this.#directories.set(handle, at)
  }

  counts(): { standing: number; transient: number; overflows: number } {
    return { standing: this.#standing.size, transient: this.#transient.size, overflows: this.#overflows }
  }

  /** The kernel may put several things that happened to one name into one event: they are told in the order of a life. */
  tell(event: RawEvent): ExactEvent[] {
    const { mask, at, from, to, target } = event
    const is = (bit: number) => (mask & bit) !== 0
    const told: ExactEvent[] = []
    if (is(bits.overflow)) {
      this.#overflows += 1
      told.push({ kind: 'overflow' })
    }
    if (from !== undefined && to !== undefined) {
      if (is(bits.isDirectory) && target !== undefined) this.#directories.set(target, to)
      this.#standing.delete(keyOf(from))
      this.#standing.add(keyOf(to))
      const [path, was] = [this.#path(to), this.#path(from)]
      told.push({ kind: 'renamed', ...(path && { path }), ...(was && { from: was }) })
    }
    if (at === undefined) return told
    const say = (kind: ExactEvent['kind']) => {
      const path = this.#path(at)
      told.push({ kind, ...(path && { path }) })
    }
    if (is(bits.create)) {
      if (is(bits.isDirectory) && target !== undefined) this.#directories.set(target, at)
      this.#standing.add(keyOf(at))
      say('created')
    }
    if (is(bits.modify)) say('written')
    if (is(bits.attrib)) say('mode')
    if (is(bits.access) && !is(bits.isDirectory)) say('read')
    if (is(bits.delete)) {
      say('deleted')
      if (this.#standing.delete(keyOf(at))) this.#transient.add(keyOf(at))
      if (is(bits.isDirectory) && target !== undefined) this.#directories.delete(target)
    }
    return told
  }

  #path({ directory, name }: NameIn): string | undefined {
    const names = [name]
    let handle = directory
    // No loop can stand in a tree; a bound all the same, since handles come from outside.
    for (let depth = 0; handle !== this.#root; depth += 1) {
      const above = this.#directories.get(handle)
      if (above === undefined || depth > mostDepth) return undefined
      names.push(above.name)
      handle = above.directory
    }
    return `/${names.toReversed().join('/')}`
  }
}

const mostDepth = 65_536
const keyOf = ({ directory, name }: NameIn) => `${directory}/${name}`
