import type { Change, PageChange, PageChanges } from '@landfall/contracts'

/**
 * Everything that differs from the start of a trial, by path, gathered over many comparisons. Pure but for what it
 * keeps. Bounded: a victim that makes more entries than are kept is counted, not stored.
 */

export const mostRows = 20_000

export class ChangeLog {
  readonly #most: number
  readonly #rows = new Map<string, PageChange>()
  #more = 0

  constructor(most = mostRows) {
    this.#most = most
  }

  /** Whether anything is different now. */
  add(changes: readonly Change[]): boolean {
    let changed = false
    for (const change of changes) {
      const row = toRow(change)
      if (row === undefined) continue
      const merged = merge(this.#rows.get(row.path), row)
      if (merged === undefined) this.#rows.delete(row.path)
      else if (this.#rows.size < this.#most || this.#rows.has(row.path)) this.#rows.set(row.path, merged)
      else this.#more += 1
      changed = true
    }
    return changed
  }

  get size(): number {
    return this.#rows.size + this.#more
  }

  get(path: string): PageChange | undefined {
    return this.#rows.get(path)
  }

  result(): PageChanges {
    return { rows: [...this.#rows.values()], more: this.#more }
  }
}

function toRow({ kind, path, after, before, fields, delivery }: Change): PageChange | undefined {
  const entry = after ?? before
  if (entry === undefined) return undefined
  const { type, mode, uid, size, target, sha256 } = entry
  return {
    path,
    kind,
    type,
    mode,
    uid,
    size,
    ...(target === undefined ? {} : { target }),
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(fields === undefined ? {} : { fields }),
    ...(delivery === undefined ? {} : { delivery }),
  }
}

/** What both together are, seen from the start; undefined when that is nothing. */
function merge(earlier: PageChange | undefined, later: PageChange): PageChange | undefined {
  if (earlier === undefined) return later
  if (earlier.kind === 'added') {
    const { fields: _, ...row } = later
    return later.kind === 'removed' ? undefined : { ...row, kind: 'added' }
  }
  if (earlier.kind === 'removed' && later.kind === 'added') return { ...later, kind: 'changed' }
  const fields = [...new Set([...(earlier.fields ?? []), ...(later.fields ?? [])])]
  return { ...later, ...(fields.length === 0 ? {} : { fields }) }
}
