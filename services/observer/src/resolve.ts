import type { Place } from './content.ts'
import type { RawEntry } from './entry.ts'
import { statAt } from './entry.ts'
import type { HeldRoot } from './held.ts'
import * as libc from './libc.ts'
import { childKey } from './walk.ts'

/**
 * Where a symbolic link leads inside the victim, decided component by component on held descriptors.
 *
 * The kernel is never asked to follow a link, since it would follow it in the observer's own world: an
 * absolute target starts at the victim's root, and `..` at the root stays there.
 */
export interface Resolved {
  /** Path bytes in latin1, without any link in it. */
  readonly key: string
  readonly entry: RawEntry
}

/** As many links as the kernel follows in one path. */
const mostLinks = 40
const itself = libc.cName('')

/** Resolves `target` as found in a link whose own directory is `from` (a path without links). Undefined when it leads nowhere. */
export function resolveTarget(held: HeldRoot, from: string, target: string): Resolved | undefined {
  using position = new Position(held)
  for (const name of from.split('/')) {
    if (name !== '' && !position.enter(name)) return undefined
  }
  // The next component is at the end.
  const todo = target.split('/').toReversed()
  if (target === '') return undefined
  if (target.startsWith('/')) position.restart()
  let links = 0
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      position.leave()
      continue
    }
    const entry = position.look(name)
    if (entry === undefined) return undefined
    if (entry.target !== undefined) {
      links += 1
      if (links > mostLinks) return undefined
      if (entry.target.startsWith('/')) position.restart()
      todo.push(...entry.target.split('/').toReversed())
      continue
    }
    if (entry.type === 'directory') {
      if (!position.enter(name)) return undefined
    } else if (todo.length === 0) return { key: childKey(position.key, name), entry }
    else return undefined
  }
  const entry = position.current()
  return entry === undefined ? undefined : { key: position.key, entry }
}

/** Calls `use` with the directory that holds `key` and the name in it. Undefined when that cannot be reached without following a link. */
export function atPath<T>(held: HeldRoot, key: string, use: (place: Place) => T): T | undefined {
  using position = new Position(held)
  const names = key.split('/').filter((name) => name !== '')
  const last = names.pop()
  if (last === undefined || !names.every((name) => position.enter(name))) return undefined
  return use(position.place(last))
}

interface Step {
  readonly fd: number
  readonly key: string
  /** Whether leaving this step closes it; held descriptors stay open. */
  readonly own: boolean
}

/** A directory inside the victim, as the chain of descriptors that led there. */
class Position implements Disposable {
  readonly #held: HeldRoot
  #steps: Step[] = []

  constructor(held: HeldRoot) {
    this.#held = held
    this.restart()
  }

  get key(): string {
    return this.#steps.at(-1)?.key ?? '/'
  }

  restart(): void {
    while (this.#steps.length > 1) this.leave()
    const root = this.#held.mounts[0]
    if (root !== undefined && this.#steps.length === 0) this.#steps = [{ fd: root.fd, key: '/', own: false }]
  }

  leave(): void {
    if (this.#steps.length <= 1) return
    const step = this.#steps.pop()
    if (step?.own === true) libc.close(step.fd)
  }

  current(): RawEntry | undefined {
    return statAt(this.#fd, itself)?.entry
  }

  /** The entry of this name, in the mount that stands on it if there is one. */
  look(name: string): RawEntry | undefined {
    const key = childKey(this.key, name)
    if (!this.#held.points.has(key)) return statAt(this.#fd, libc.cName(name))?.entry
    const mount = this.#mount(key)
    return mount === undefined ? undefined : statAt(mount, itself)?.entry
  }

  /** The mount that stands on the name, if there is one. */
  place(name: string): Place {
    const mount = this.#mount(childKey(this.key, name))
    return mount === undefined ? { dir: this.#fd, bytes: libc.cName(name) } : { dir: mount, bytes: itself }
  }

  enter(name: string): boolean {
    const key = childKey(this.key, name)
    const mount = this.#held.points.has(key) ? this.#mount(key) : undefined
    if (this.#held.points.has(key) && mount === undefined) return false
    const fd = mount ?? libc.openat(this.#fd, libc.cName(name), libc.openDirectory)
    if (fd < 0) return false
    this.#steps.push({ fd, key, own: mount === undefined })
    return true
  }

  get #fd(): number {
    return this.#steps.at(-1)?.fd ?? -1
  }

  #mount(key: string): number | undefined {
    return this.#held.mounts.find((mount) => mount.key === key)?.fd
  }

  [Symbol.dispose](): void {
    while (this.#steps.length > 1) this.leave()
  }
}
