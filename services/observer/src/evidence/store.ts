import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EvidenceLimits } from './limits.ts'
import { costOf } from './limits.ts'

/**
 * Content of files that victims wrote, by digest, in a folder of the observer's own.
 *
 * Never a name of the victim's in it, and never more than its limit: the oldest trial makes room. What two trials
 * wrote alike is kept once.
 */
export class EvidenceStore {
  readonly folder: string
  readonly limits: EvidenceLimits
  readonly #contents = new Map<string, { readonly cost: number; readonly trials: Set<string> }>()
  /** Trials in the order in which they began. */
  readonly #trials = new Map<string, Set<string>>()
  #used = 0
  #partial = 0

  /** Empties the folder of what an earlier observer left. @throws Error when it cannot be used. */
  constructor(folder: string, limits: EvidenceLimits) {
    this.folder = folder
    this.limits = limits
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder)) {
      if (/^(?:[0-9a-f]{64}|partial-\d+)$/.test(name)) rmSync(join(folder, name), { force: true })
    }
  }

  /** A trial begins; what an earlier one of the same name kept is let go. */
  begin(trial: string): void {
    this.#drop(trial)
    this.#trials.set(trial, new Set())
  }

  /** Whether the content is there; if so it is kept for this trial too. */
  take(trial: string, sha256: string): boolean {
    const content = this.#contents.get(sha256)
    if (content === undefined) return false
    content.trials.add(trial)
    this.#trials.get(trial)?.add(sha256)
    return true
  }

  /** A fresh name to write content under while its digest is not known. */
  partialFile(): string {
    this.#partial += 1
    return join(this.folder, `partial-${this.#partial}`)
  }

  /** Makes room for a file that is about to be written, at the cost of the oldest other trials. */
  makeRoom(trial: string, size: number): void {
    for (const oldest of this.#trials.keys()) {
      if (this.#used + costOf(size) <= this.limits.storeBytes) return
      if (oldest !== trial) this.#drop(oldest)
    }
  }

  /** Keeps bytes, or a file that was written under {@link partialFile}. @throws Error when the disk takes it not. */
  add(trial: string, sha256: string, size: number, content: Uint8Array | string): void {
    const file = join(this.folder, sha256)
    try {
      if (typeof content === 'string') renameSync(content, file)
      else writeFileSync(file, content, { mode: 0o600 })
    } catch (error) {
      // Half a file must not be taken for evidence.
      rmSync(file, { force: true })
      throw error
    }
    this.#contents.set(sha256, { cost: costOf(size), trials: new Set() })
    this.#used += costOf(size)
    this.take(trial, sha256)
  }

  /** Undefined when it is not kept, or no longer. */
  async find(sha256: string): Promise<Buffer | undefined> {
    if (!this.#contents.has(sha256)) return undefined
    // Newer trials may push it out at this very moment.
    return readFile(join(this.folder, sha256)).catch(() => undefined)
  }

  #drop(trial: string): void {
    for (const sha256 of this.#trials.get(trial) ?? []) {
      const content = this.#contents.get(sha256)
      content?.trials.delete(trial)
      if (content === undefined || content.trials.size > 0) continue
      rmSync(join(this.folder, sha256), { force: true })
      this.#contents.delete(sha256)
      this.#used -= content.cost
    }
    this.#trials.delete(trial)
  }
}
