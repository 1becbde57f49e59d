import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { BundleManifest } from '@landfall/bundle'

/** Where the host keeps things in the user's home. Pins lie outside of every skill: a manifest cannot describe itself. */
export class Places {
  readonly #store: string
  readonly #skills: string

  constructor(home: string) {
    this.#store = `${home}/.local/share/landfall-pinning`
    this.#skills = `${home}/.agents/skills`
  }

  /** Where one delivery lies until it is pinned (`review`) or found to be the pinned one (`open`). */
  delivery(step: 'review' | 'open', uri: string): string {
    return `${this.#store}/${step}/${keyOf(uri)}/files`
  }

  pin(uri: string): string {
    return `${this.#store}/pins/${keyOf(uri)}.json`
  }

  writePin(uri: string, manifest: BundleManifest): void {
    const path = this.pin(uri)
    mkdirSync(posix.dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, `${JSON.stringify(manifest)}\n`, { mode: 0o600 })
  }

  /** The directory that is used. A name that climbs is followed: to check it is not what pinning is about. */
  skill(name: string): string {
    return `${this.#skills}/${name}`
  }

  /** Puts the files of a delivery where they are used. `replace`: what is there may go. */
  install(files: string, name: string, replace: boolean): void {
    const place = this.skill(name)
    mkdirSync(posix.dirname(place), { recursive: true })
    if (replace) discard(place)
    renameSync(files, place)
  }
}

/** A URI as the name of a folder: no two share one, whatever is in them. */
const keyOf = (uri: string): string => createHash('sha256').update(uri).digest('hex').slice(0, 16)

/** Removes a folder, closed ones below it included: an archive may have taken its owner's rights away. */
export function discard(folder: string): void {
  open(folder)
  rmSync(folder, { recursive: true, force: true })
}

function open(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return
  chmodSync(path, 0o700)
  for (const name of readdirSync(path)) open(`${path}/${name}`)
}
