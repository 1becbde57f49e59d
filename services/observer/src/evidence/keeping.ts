import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Evidence } from '@landfall/contracts'
import type { BlindSpots } from '../blindness.ts'
import { wire } from '../entry.ts'
import { costOf, listedNotStored } from './limits.ts'
import type { EvidenceStore } from './store.ts'

/** Keeps the content of one trial's new and changed files while they are read, and says what was not kept. */

type Reason = Evidence['notStored'][number]['reason']

/** One file that is being read and kept. */
export interface KeptFile {
  /** `bytes` may be reused by the caller once more is read, or the file is finished. What is not written is zeros. */
  readonly write: (bytes: Uint8Array, at: number) => void
  /** The file was read to its end; without a digest it was not. */
  readonly finish: (sha256: string | undefined) => void
}

export class Keeping {
  readonly #store: EvidenceStore | undefined
  readonly #trial: string
  readonly #blind: BlindSpots
  readonly #stored = new Map<string, number>()
  readonly #notStored: Evidence['notStored'] = []
  #more = 0
  #used = 0
  #failed = false

  /** Without a store nothing is kept, which is said of every file. */
  constructor(store: EvidenceStore | undefined, trial: string, blind: BlindSpots) {
    this.#store = store
    this.#trial = trial
    this.#blind = blind
    store?.begin(trial)
  }

  /** A file of this size is about to be read. Undefined when it will not be kept. */
  begin(key: () => string, size: number): KeptFile | undefined {
    const store = this.#store
    if (store === undefined) return this.#refuse(key, size, 'off')
    if (size > store.limits.fileBytes) return this.#refuse(key, size, 'too-large')
    if (this.#used + costOf(size) > store.limits.trialBytes) return this.#refuse(key, size, 'trial-cap')
    return this.#file(store, key, size)
  }

  result(): Evidence {
    return {
      stored: [...this.#stored].map(([sha256, size]) => ({ sha256, size })),
      notStored: this.#notStored,
      moreNotStored: this.#more,
    }
  }

  #file(store: EvidenceStore, key: () => string, size: number): KeptFile {
    let whole: Uint8Array | undefined = size === 0 ? new Uint8Array() : undefined
    let partial: PartialFile | undefined
    const fail = (error: unknown): void => {
      partial?.remove()
      this.#refuse(key, size, 'failed')
      if (!this.#failed) this.#blind.add('evidence', `content could not be kept: ${String(error)}`, key())
      this.#failed = true
    }
    let failure: { readonly error: unknown } | undefined
    return {
      write: (bytes, at) => {
        if (bytes.length === size) whole = bytes
        if (whole !== undefined || failure !== undefined) return
        try {
          if (partial === undefined) store.makeRoom(this.#trial, size)
          partial ??= new PartialFile(store.partialFile(), size)
          partial.write(bytes, at)
        } catch (error) {
          failure = { error }
        }
      },
      finish: (sha256) => {
        if (failure !== undefined) return fail(failure.error)
        try {
          if (sha256 === undefined) {
            partial?.remove()
            this.#refuse(key, size, 'incomplete')
          } else this.#keep(store, sha256, size, whole ?? (partial ??= new PartialFile(store.partialFile(), size)))
        } catch (error) {
          fail(error)
        }
      },
    }
  }

  #keep(store: EvidenceStore, sha256: string, size: number, content: Uint8Array | PartialFile): void {
    if (this.#stored.has(sha256) || store.take(this.#trial, sha256)) {
      if (content instanceof PartialFile) content.remove()
    } else {
      store.makeRoom(this.#trial, size)
      store.add(this.#trial, sha256, size, content instanceof PartialFile ? content.close() : content)
    }
    if (!this.#stored.has(sha256)) this.#used += costOf(size)
    this.#stored.set(sha256, size)
  }

  #refuse(key: () => string, size: number, reason: Reason): undefined {
    if (this.#notStored.length >= listedNotStored) this.#more += 1
    else this.#notStored.push({ path: wire(key()), size, reason })
  }
}

/** A file whose digest is not known yet. Holes stay holes. */
class PartialFile {
  readonly #path: string
  #fd: number

  constructor(path: string, size: number) {
    this.#path = path
    this.#fd = openSync(path, 'wx', 0o600)
    ftruncateSync(this.#fd, size)
  }

  write(bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length;) done += writeSync(this.#fd, bytes, done, bytes.length - done, at + done)
  }

  /** Answers where it is. */
  close(): string {
    if (this.#fd >= 0) closeSync(this.#fd)
    this.#fd = -1
    return this.#path
  }

  remove(): void {
    rmSync(this.close(), { force: true })
  }
}
