import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { holdDirectory } from '../hold.ts'
import type { HeldRoot } from '../held.ts'
import { defaultLimits } from '../limits.ts'
import type { Limits } from '../limits.ts'

/** A throwaway tree on disk that stands for a victim's root in tests. */
export class Tree implements Disposable {
  readonly base: string
  /** The victim's root. Beside it, in `base`, is the world outside. */
  readonly root: string

  constructor(under = tmpdir()) {
    this.base = mkdtempSync(join(under, 'landfall-observer-'))
    this.root = this.dir('root')
  }

  at(path: string): string {
    return join(this.root, path)
  }

  write(path: string, content: string | Buffer = ''): string {
    const file = this.at(path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }

  /** Directories of one-letter names below each other, deeper than any path that the kernel takes. */
  deep(depth: number, name: string): void {
    let fd = openSync(this.root, 'r')
    for (let level = 0; level < depth; level += 1) {
      const next = `/proc/self/fd/${fd}/${name}`
      mkdirSync(next)
      const below = openSync(next, 'r')
      closeSync(fd)
      fd = below
    }
    writeFileSync(`/proc/self/fd/${fd}/bottom`, 'bottom')
    closeSync(fd)
  }

  hold(): HeldRoot {
    const held = holdDirectory(this.root, process.pid)
    if (held === undefined) throw new Error(`cannot hold ${this.root}`)
    return held
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true })
  }

  dir(name: string): string {
    const path = join(this.base, name)
    mkdirSync(path)
    return path
  }
}

export function limitsWith(some: Partial<Limits>): Limits {
  return { ...defaultLimits, ...some }
}
