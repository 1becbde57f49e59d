import { readdirSync } from 'node:fs'
import type { Processes } from '@landfall/contracts'
import type { Clock } from '../clock.ts'
import type { RawEntry } from '../entry.ts'
import { statAt } from '../entry.ts'
import type { HeldRoot } from '../held.ts'
import * as libc from '../libc.ts'
import { identity, ProcessTable } from './process-table.ts'
import type { ProcessReading } from './read-process.ts'
import { ProcessFolder } from './read-process.ts'
import type { AskTmpfs } from './tmpfs-use.ts'
import { tmpfsUse } from './tmpfs-use.ts'

/**
 * Samples the processes of one victim for as long as it is observed, in the observer's own thread: while a walk
 * runs there is no sample, and the gap is said.
 */
export interface SamplerOptions {
  readonly clock: Clock
  readonly intervalMs?: number
  readonly proc?: string
}

const usualIntervalMs = 25
/** Of the thread's time that samples may take; a victim with many processes is sampled less often. */
const share = 0.1
/** Processes looked at in one sample. A victim of the lab may have 256. */
const mostProcesses = 2_000

export class Sampler implements Disposable {
  readonly intervalMs: number
  readonly #clock: Clock
  readonly #proc: string
  readonly #root: RawEntry
  readonly #tmpfs: AskTmpfs
  readonly #table = new ProcessTable()
  readonly #began: number
  #last: number
  #samples = 0
  #costMs = 0
  #largestGapMs = 0
  #timer: NodeJS.Timeout | undefined

  private constructor(root: RawEntry, tmpfs: AskTmpfs, { clock, intervalMs, proc }: SamplerOptions) {
    this.#root = root
    this.#tmpfs = tmpfs
    this.#clock = clock
    this.#proc = proc ?? '/proc'
    this.intervalMs = intervalMs ?? usualIntervalMs
    this.#began = clock.elapsed()
    this.#last = this.#began
  }

  /** Takes the first sample at once, and goes on until it is disposed of. Undefined when the root is not readable. */
  static start(held: HeldRoot, options: SamplerOptions): Sampler | undefined {
    const fd = held.mounts[0]?.fd
    const root = fd === undefined ? undefined : statAt(fd, libc.cName(''))?.entry
    if (root === undefined) return undefined
    const sampler = new Sampler(root, tmpfsUse(held), options)
    sampler.#round()
    return sampler
  }

  get samples(): number {
    return this.#samples
  }

  /** Takes one more sample. */
  sample(): void {
    const from = this.#clock.elapsed()
    this.#largestGapMs = Math.max(this.#largestGapMs, from - this.#last)
    this.#last = from
    this.#look(from - this.#began)
    this.#table.finish(this.#tmpfs())
    this.#samples += 1
    this.#costMs += this.#clock.elapsed() - from
  }

  /** What was sampled so far. Time since the last sample counts as a gap. */
  result(): Processes {
    return {
      how: 'sampled',
      intervalMs: this.intervalMs,
      samples: this.#samples,
      largestGapMs: Math.max(this.#largestGapMs, this.#clock.elapsed() - this.#last),
      costMs: this.#costMs,
      ...this.#table.result(),
    }
  }

  /** Takes the last sample and answers what was sampled. */
  end(): Processes {
    this.#round()
    this[Symbol.dispose]()
    return this.result()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #round(): void {
    const from = this.#clock.elapsed()
    try {
      this.sample()
    } catch {
      // Whatever a victim does to one sample, the next one is taken; the gap says that this one is missing.
    }
    const took = this.#clock.elapsed() - from
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#round(), Math.max(this.intervalMs, took / share))
    this.#timer.unref()
  }

  #look(atMs: number): void {
    const pids = readdirSync(this.#proc)
      .filter((name) => /^[1-9][0-9]*$/.test(name))
      .map(Number)
      .filter((pid) => pid !== process.pid)
      .toSorted((a, b) => a - b)
    const theirs = new Set<number>()
    for (const pid of pids.slice(0, mostProcesses)) {
      using folder = ProcessFolder.open(this.#proc, pid)
      const stat = folder?.stat()
      if (folder === undefined || stat === undefined || !this.#isTheirs(folder, { pid, stat }, theirs)) continue
      theirs.add(pid)
      const reading = folder.reading(stat)
      if (reading !== undefined) this.#table.see(reading, atMs, () => folder.command())
    }
  }

  /**
   * The victim's are those with its root, their children whatever root they have chosen, and what is left of them
   * when they have ended. A process that the engine is still setting up has another root, and is none yet.
   */
  #isTheirs(
    folder: ProcessFolder,
    process: Pick<ProcessReading, 'pid' | 'stat'>,
    theirs: ReadonlySet<number>,
  ): boolean {
    return this.#table.knows(identity(process)) || folder.hasRoot(this.#root) || theirs.has(process.stat.ppid)
  }
}
