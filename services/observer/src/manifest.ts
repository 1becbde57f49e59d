import type { RawEntry } from './entry.ts'
import { childKey } from './walk.ts'

/**
 * Everything a victim has at one moment, as the tree that it is: a name costs its own bytes and not those of the
 * path before it, and looking up an entry while walking is one look into the directory at hand.
 */
export class ManifestNode {
  readonly entry: RawEntry
  /** Of a directory: name (bytes in latin1) to what stands there. */
  children: Map<string, ManifestNode> | undefined
  /** The last comparison that met this entry. */
  met = 0

  constructor(entry: RawEntry) {
    this.entry = entry
  }
}

export class Manifest {
  size = 0
  /** The root and every other mount by its path: what stands above them was not walked through. */
  readonly #tops = new Map<string, ManifestNode>()

  /** Adds an entry to the directory `parent`; without one it is a mount and `name` its whole path. */
  add(parent: ManifestNode | undefined, name: string, entry: RawEntry): ManifestNode {
    const node = new ManifestNode(entry)
    if (parent === undefined) this.#tops.set(name, node)
    else {
      parent.children ??= new Map<string, ManifestNode>()
      parent.children.set(name, node)
    }
    this.size += 1
    return node
  }

  child(parent: ManifestNode | undefined, name: string): ManifestNode | undefined {
    return parent === undefined ? this.#tops.get(name) : parent.children?.get(name)
  }

  /** What stands at this path, in the innermost mount that holds it. */
  find(key: string): ManifestNode | undefined {
    const [top] = [...this.#tops.keys()]
      .filter((at) => at === key || at === '/' || key.startsWith(`${at}/`))
      .toSorted((a, b) => b.length - a.length)
    if (top === undefined) return undefined
    let node = this.#tops.get(top)
    for (const name of key.slice(top.length).split('/')) {
      if (name !== '') node = node?.children?.get(name)
    }
    return node
  }

  /** Every entry with its path, a directory before what is in it. */
  *all(): Generator<[key: string, node: ManifestNode]> {
    const open: [string, ManifestNode][] = [...this.#tops].toReversed()
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      yield next
      const [key, { children }] = next
      if (children === undefined) continue
      const below = [...children].map(([name, node]): [string, ManifestNode] => [childKey(key, name), node])
      open.push(...below.toReversed())
    }
  }
}
