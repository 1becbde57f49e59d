import type { Processes, ProcessTotals, SampledProcess } from '@landfall/contracts'
import { wire } from '../entry.ts'
import type { Command, ProcessReading } from './read-process.ts'

/** What a row of samples says about processes and what they used. Pure: takes readings, gives the contract's values. */

export interface TableLimits {
  /** Processes listed; of the rest only the number, but what they used still counts. */
  readonly listed: number
  /** Programs kept of one process. */
  readonly commands: number
  /** Bytes of command lines of all listed processes, in wire form. */
  readonly commandBytes: number
}

export const tableLimits: TableLimits = { listed: 1_000, commands: 8, commandBytes: 512 * 1024 }

export interface TmpfsUse {
  readonly bytes: number
  readonly inodes: number
}

interface Followed {
  readonly startTicks: number
  readonly startWritten: number
  readonly item: Mutable<SampledProcess> | undefined
  ticks: number
  stack: string
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const ticksPerSecond = 100

/** What the processes of one sample have together. */
interface Sum {
  resident: number
  treeTicks: number
  written: number
  disk: number
  alive: number
}

const emptySum = (): Sum => ({ resident: 0, treeTicks: 0, written: 0, disk: 0, alive: 0 })

/** The identity of a process: a pid may be given again. */
export const identity = ({ pid, stat }: Pick<ProcessReading, 'pid' | 'stat'>): string => `${pid}:${stat.started}`

export class ProcessTable {
  readonly #limits: TableLimits
  readonly #list: SampledProcess[] = []
  #live = new Map<string, Followed>()
  readonly #totals: Mutable<ProcessTotals> = {
    cpuSeconds: 0,
    peakProcessBytes: 0,
    peakSumBytes: 0,
    peakProcesses: 0,
    writtenBytes: 0,
    diskBytes: 0,
  }
  #base: { readonly sum: Sum; readonly tmpfs: TmpfsUse | undefined } | undefined
  #next = new Map<string, Followed>()
  #sum = emptySum()
  #ownTicks = 0
  #unlisted = 0
  #commandBytes = 0

  constructor(limits: TableLimits = tableLimits) {
    this.#limits = limits
  }

  /** Whether it was there at the last sample. */
  knows(key: string): boolean {
    return this.#live.has(key)
  }

  /** Takes one process of the present sample. `command` is asked once for each program that it runs. */
  see(reading: ProcessReading, atMs: number, command: () => Command): void {
    const { stat, status, io } = reading
    const key = identity(reading)
    const followed = this.#live.get(key) ?? this.#admit(reading, atMs)
    this.#next.set(key, followed)
    this.#ownTicks += Math.max(0, stat.ownTicks - followed.ticks)
    followed.ticks = stat.ownTicks
    if (followed.item !== undefined) this.#update(followed, followed.item, reading, atMs, command)
    this.#raise('peakProcessBytes', status.peakBytes)
    this.#sum.resident += status.residentBytes
    this.#sum.treeTicks += stat.ownTicks + stat.childTicks
    this.#sum.written += io?.writtenBytes ?? 0
    this.#sum.disk += io?.diskBytes ?? 0
    if (stat.state !== 'Z') this.#sum.alive += 1
  }

  /** Ends the present sample. The first one is the state at the begin. */
  finish(tmpfs?: TmpfsUse): void {
    const sum = this.#sum
    this.#live = this.#next
    this.#next = new Map()
    this.#sum = emptySum()
    this.#base ??= { sum, tmpfs }
    const { sum: base, tmpfs: tmpfsBase } = this.#base
    this.#raise('peakSumBytes', sum.resident)
    this.#raise('peakProcesses', sum.alive)
    // Each counts what its dead children did, so the sum over the living counts nothing twice. What is taken off
    // may since have gone with its process, which only makes the bound lower.
    this.#raise('writtenBytes', sum.written - base.written)
    this.#raise('diskBytes', sum.disk - base.disk)
    this.#raise('cpuSeconds', Math.max(this.#ownTicks, sum.treeTicks - base.treeTicks) / ticksPerSecond)
    if (tmpfs === undefined || tmpfsBase === undefined) return
    this.#raise('tmpfsBytes', tmpfs.bytes - tmpfsBase.bytes)
    this.#raise('tmpfsInodes', tmpfs.inodes - tmpfsBase.inodes)
  }

  result(): Pick<Processes, 'unlisted' | 'list' | 'totals'> {
    const list = this.#list.map((item) => ({ ...item, commands: [...item.commands] }))
    return { unlisted: this.#unlisted, list, totals: { ...this.#totals } }
  }

  #raise(name: keyof ProcessTotals, value: number): void {
    this.#totals[name] = Math.max(this.#totals[name] ?? 0, value)
  }

  #admit({ pid, stat, status, io }: ProcessReading, atMs: number): Followed {
    const before = this.#base === undefined
    const startTicks = before ? stat.ownTicks : 0
    const startWritten = before ? (io?.writtenBytes ?? 0) : 0
    const followed = { startTicks, startWritten, ticks: startTicks, stack: '' }
    if (this.#list.length >= this.#limits.listed) {
      this.#unlisted += 1
      return { ...followed, item: undefined }
    }
    const item: Mutable<SampledProcess> = {
      pid,
      ppid: stat.ppid,
      name: '',
      commands: [],
      uid: status.uid,
      ...(before ? { before: true as const } : {}),
      firstSeenMs: atMs,
      lastSeenMs: atMs,
      cpuSeconds: 0,
      peakBytes: 0,
    }
    this.#list.push(item)
    return { ...followed, item }
  }

  #update(
    followed: Followed,
    item: Mutable<SampledProcess>,
    { stat, status, io }: ProcessReading,
    atMs: number,
    command: () => Command,
  ): void {
    item.lastSeenMs = atMs
    item.name = wire(stat.name)
    item.uid = status.uid
    item.cpuSeconds = Math.max(0, stat.ownTicks - followed.startTicks) / ticksPerSecond
    item.peakBytes = Math.max(item.peakBytes, status.peakBytes)
    if (io !== undefined) item.writtenBytes = Math.max(0, io.writtenBytes - followed.startWritten)
    if (stat.stack === followed.stack || stat.state === 'Z') return
    followed.stack = stat.stack
    if (item.commands.length < this.#limits.commands) this.#addCommand(item, command())
  }

  #addCommand(item: SampledProcess, { argv, cut, exe }: Command): void {
    const wired = argv.map(wire)
    const size = [...wired, wire(exe ?? '')].reduce((bytes, text) => bytes + text.length, 0)
    const fits = this.#commandBytes + size <= this.#limits.commandBytes
    if (fits) this.#commandBytes += size
    item.commands.push({
      argv: fits ? wired : [],
      ...(cut || !fits ? { cut: true as const } : {}),
      ...(exe === undefined || !fits ? {} : { exe: wire(exe) }),
    })
  }
}
