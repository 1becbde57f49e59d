import * as libc from '../libc.ts'
import type { Looked } from './look.ts'

/** Bytes. */
const longestKept = 1_024

/**
 * A watched directory. It is known by its watch and reached by its descriptor; its path is only what it is called at
 * present, so renaming it, or any directory above, is one change of a pointer.
 */
export class Place {
  readonly wd: number
  readonly fd: number
  readonly inode: Looked
  /** Made during the trial, so that everything in it is new as well. */
  readonly fresh: boolean
  /** Names in it that appeared during the trial and still stand, and when they did, in milliseconds. */
  readonly born = new Map<string, number>()
  readonly children = new Map<string, Place>()
  /** New directories in it that could not be opened: gone, or renamed, before their turn came. */
  readonly unreached = new Set<string>()
  /** Anything was ever seen in it. */
  used = false
  #parent: Place | undefined
  #name: string
  #path: string | undefined

  constructor(wd: number, fd: number, inode: Looked, fresh: boolean, name: string, parent?: Place) {
    this.wd = wd
    this.fd = fd
    this.inode = inode
    this.fresh = fresh
    this.#name = name
    this.#parent = parent
    parent?.children.set(name, this)
  }

  get parent(): Place | undefined {
    return this.#parent
  }

  get name(): string {
    return this.#name
  }

  /**
   * Path in the victim, bytes in latin1. Of a mount its `name` is the whole of it. Only short ones are kept: in a tree
   * without a bottom all of them together would fill the memory.
   */
  get path(): string {
    if (this.#path !== undefined) return this.#path
    const names: string[] = []
    // oxlint-disable-next-line typescript/no-this-alias -- the way up begins here
    let above: Place = this
    while (above.#path === undefined && above.#parent !== undefined) {
      names.push(above.#name)
      above = above.#parent
    }
    const start = above.#path ?? above.#name
    const path = [start === '/' ? '' : start, ...names.toReversed()].join('/')
    const whole = path === '' ? '/' : path
    if (whole.length <= longestKept) this.#path = whole
    return whole
  }

  at(name: string): string {
    return this.path === '/' ? `/${name}` : `${this.path}/${name}`
  }

  /** It is called otherwise from now on. What stood there under this name is no longer reached by it. */
  moveTo(parent: Place, name: string): void {
    this.detach()
    this.#parent = parent
    this.#name = name
    parent.children.set(name, this)
    this.#forgetPath()
  }

  /** It is no longer a child of its parent. */
  detach(): void {
    if (this.#parent?.children.get(this.#name) === this) this.#parent.children.delete(this.#name)
  }

  #forgetPath(): void {
    const waiting: Place[] = [this]
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      place.#path = undefined
      waiting.push(...place.children.values())
    }
  }

  close(): void {
    libc.close(this.fd)
  }
}
