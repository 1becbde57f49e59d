import { constants, readSync } from 'node:fs'
import type { RawEntry } from '../entry.ts'
import { sameInode, statAt } from '../entry.ts'
import * as libc from '../libc.ts'
import type { ProcIo, ProcStat, ProcStatus } from './proc-text.ts'
import { parseCommandLine, parseIo, parseStat, parseStatus } from './proc-text.ts'

/**
 * Reads one process from `/proc`. The folder is held while it is read, so that a pid that is given to another
 * process meanwhile answers with an error and never with the other's numbers.
 */

export interface ProcessReading {
  readonly pid: number
  readonly stat: ProcStat
  readonly status: ProcStatus
  /** Undefined when the kernel does not let it be read. */
  readonly io: ProcIo | undefined
}

/** Bytes in latin1. */
export interface Command {
  readonly argv: readonly string[]
  readonly cut: boolean
  readonly exe: string | undefined
}

/** Bytes of one command line that are kept. */
export const commandBytes = 2_048

const names = {
  stat: libc.cName('stat'),
  status: libc.cName('status'),
  io: libc.cName('io'),
  commandLine: libc.cName('cmdline'),
  exe: libc.cName('exe'),
  // Through the magic link and not at it, though the last part is never followed.
  root: libc.cName('root/.'),
}
const buffer = Buffer.alloc(8_192)
const openFolder = libc.flags.path | constants.O_DIRECTORY | libc.flags.closeOnExec
const openFile = constants.O_RDONLY | constants.O_NONBLOCK | libc.flags.closeOnExec

/** The folder of one process, held. */
export class ProcessFolder implements Disposable {
  readonly pid: number
  readonly #fd: number

  private constructor(pid: number, fd: number) {
    this.pid = pid
    this.#fd = fd
  }

  /** Undefined when it is gone. */
  static open(proc: string, pid: number): ProcessFolder | undefined {
    const fd = libc.openat(-1, libc.cName(`${proc}/${pid}`), openFolder)
    return fd < 0 ? undefined : new ProcessFolder(pid, fd)
  }

  stat(): ProcStat | undefined {
    return parseStat(this.#read(names.stat, buffer.length) ?? '')
  }

  /** Whether its root is this one. A process that has ended has none. */
  hasRoot(root: RawEntry): boolean {
    const own = statAt(this.#fd, names.root)?.entry
    return own !== undefined && sameInode(own, root)
  }

  /** Undefined when it went away while it was read. */
  reading(stat: ProcStat): ProcessReading | undefined {
    const status = parseStatus(this.#read(names.status, buffer.length) ?? '')
    if (status === undefined) return undefined
    return { pid: this.pid, stat, status, io: parseIo(this.#read(names.io, buffer.length) ?? '') }
  }

  command(): Command {
    const text = this.#read(names.commandLine, commandBytes + 1) ?? ''
    const length = libc.readlinkat(this.#fd, names.exe, buffer, buffer.length)
    return {
      argv: parseCommandLine(text.slice(0, commandBytes)),
      cut: text.length > commandBytes,
      exe: length < 0 ? undefined : buffer.toString('latin1', 0, Math.min(length, commandBytes)),
    }
  }

  [Symbol.dispose](): void {
    libc.close(this.#fd)
  }

  #read(name: Uint8Array, most: number): string | undefined {
    const fd = libc.openat(this.#fd, name, openFile)
    if (fd < 0) return undefined
    try {
      return buffer.toString('latin1', 0, readSync(fd, buffer, 0, most, null))
    } catch {
      return undefined // It ended in between.
    } finally {
      libc.close(fd)
    }
  }
}
