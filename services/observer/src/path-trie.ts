/** A set of paths that is asked component by component, so that a walk need not build the path of every entry. */
export class PathTrie {
  readonly #below = new Map<string, PathTrie>()
  #ends = false

  static of(paths: Iterable<string>): PathTrie {
    const trie = new PathTrie()
    for (const path of paths) {
      let node = trie
      for (const name of path.split('/')) {
        if (name !== '') node = node.#grow(name)
      }
      node.#ends = true
    }
    return trie
  }

  /** Whether the path that led here is in the set. */
  get ends(): boolean {
    return this.#ends
  }

  below(name: string): PathTrie | undefined {
    return this.#below.get(name)
  }

  at(path: string): PathTrie | undefined {
    const names = path.split('/').filter((name) => name !== '')
    return names.reduce<PathTrie | undefined>((node, name) => node?.below(name), this)
  }

  #grow(name: string): PathTrie {
    const next = this.#below.get(name) ?? new PathTrie()
    this.#below.set(name, next)
    return next
  }
}
