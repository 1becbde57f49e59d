import { closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs'
import type { Identity } from './identity.ts'
import { identityOf } from './identity.ts'

/**
 * A directory held by a descriptor, so that whatever takes its name in the meantime is not what is read.
 *
 * Node has no `openat`; where the kernel offers /proc, a path through the descriptor does the same. Elsewhere
 * names are used, and the identities that are compared before, during and after tell of a change.
 */
const throughDescriptors = existsSync('/proc/self/fd')

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

export class HeldDirectory implements Disposable {
  readonly identity: Identity
  readonly #descriptor: number
  readonly #path: string

  constructor(path: string) {
    this.#descriptor = openSync(path, flags)
    this.#path = throughDescriptors ? `/proc/self/fd/${this.#descriptor}` : path
    this.identity = identityOf(fstatSync(this.#descriptor, { bigint: true }))
  }

  /** A path of this directory that ends in a slash, for listing it. */
  get listing(): string {
    return `${this.#path}/`
  }

  at(name: string): string {
    return `${this.#path}/${name}`
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor)
  }
}
