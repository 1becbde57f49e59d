import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { posix } from 'node:path'

/**
 * The file system below one folder, which stands for the whole machine: an absolute path and the target of a link
 * count from there. In a victim that folder is `/`; in a sweep it is a temporary one, so that no careless mutant
 * reaches this machine, whatever the links it follows say.
 */
export class Disk {
  readonly #root: string

  constructor(root = '/') {
    this.#root = root === '/' ? '' : root
  }

  makeFolder(path: string): void {
    mkdirSync(this.#real(path), { recursive: true })
  }

  /** Writes through whatever stands there, as a careless extractor does; the rules see to it that nothing does. */
  write(path: string, bytes: Buffer, mode: number): void {
    this.makeFolder(posix.dirname(path))
    const real = this.#real(path)
    rmIfReadOnly(real)
    writeFileSync(real, bytes)
    chmodSync(real, mode)
  }

  symlink(target: string, path: string): void {
    this.makeFolder(posix.dirname(path))
    symlinkSync(target, this.#real(path, false))
  }

  link(target: string, path: string): void {
    this.makeFolder(posix.dirname(path))
    linkSync(this.#real(target), this.#real(path, false))
  }

  fifo(path: string): void {
    this.makeFolder(posix.dirname(path))
    execFileSync('mkfifo', [this.#real(path, false)])
  }

  readIfThere(path: string): Buffer | undefined {
    const real = this.#real(path)
    try {
      return lstatSync(real).isFile() ? readFileSync(real) : undefined
    } catch {
      return undefined
    }
  }

  remove(path: string): void {
    rmSync(this.#real(path, false), { recursive: true, force: true })
  }

  /** Where a path leads on the real machine, every link on the way followed inside of the root. */
  #real(path: string, followLast = true): string {
    const open = posix.normalize(path).split('/').filter(Boolean)
    const done: string[] = []
    for (let links = 0; open.length > 0;) {
      const segment = open.shift() ?? ''
      if (segment === '..') {
        done.pop()
        continue
      }
      const here = `${this.#root}/${[...done, segment].join('/')}`
      const target = open.length > 0 || followLast ? linkTarget(here) : undefined
      if (target === undefined) done.push(segment)
      else if ((links += 1) > 40) throw new Error(`too many links at ${path}`)
      else {
        if (target.startsWith('/')) done.length = 0
        open.unshift(...target.split('/').filter((part) => part !== '' && part !== '.'))
      }
    }
    return `${this.#root}/${done.join('/')}`
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}

/** Our own copies are read-only: a newer one replaces them and never changes them in place. */
function rmIfReadOnly(path: string): void {
  try {
    if ((lstatSync(path).mode & 0o222) === 0) rmSync(path)
  } catch {
    // Nothing stands there.
  }
}
