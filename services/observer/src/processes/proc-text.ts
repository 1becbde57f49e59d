/**
 * What the files of `/proc/<pid>` say, read as latin1. Pure. A process chooses its own name and arguments, so
 * nothing here trusts a separator that a name may hold.
 */

export interface ProcStat {
  readonly name: string
  readonly state: string
  readonly ppid: number
  /** Clock ticks, a hundred a second. */
  readonly ownTicks: number
  /** Of children that it waited for. */
  readonly childTicks: number
  /** Ticks from the machine's start to the process's: with the pid its identity. */
  readonly started: string
  /** Where its stack begins: another one after each exec. */
  readonly stack: string
}

/** Undefined when the text is not as proc(5) says, as that of a process that has just ended. */
export function parseStat(text: string): ProcStat | undefined {
  // The name stands in brackets and may hold brackets and line breaks of its own; nothing after it does.
  const open = text.indexOf('(')
  const close = text.lastIndexOf(')')
  if (open < 0 || close < open) return undefined
  const fields = text
    .slice(close + 1)
    .trim()
    .split(' ')
  const number = (index: number): number => Number(fields[index])
  const [ppid, ownTicks, childTicks] = [number(1), number(11) + number(12), number(13) + number(14)]
  const [state, started, stack] = [fields[0], fields[19], fields[25]]
  if (state === undefined || started === undefined || stack === undefined) return undefined
  if (![ppid, ownTicks, childTicks].every(Number.isSafeInteger)) return undefined
  return { name: text.slice(open + 1, close), state, ppid, ownTicks, childTicks, started, stack }
}

export interface ProcStatus {
  /** Effective user id. */
  readonly uid: number
  readonly peakBytes: number
  readonly residentBytes: number
}

/** A zombie has no memory left: both sizes are 0. Undefined when there is no user id. */
export function parseStatus(text: string): ProcStatus | undefined {
  // The first line holds the name, in which the kernel writes a line break as `\n`.
  const kilobytes = (field: string): number =>
    1024 * Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0)
  const uid = /^Uid:\s+\d+\s+(\d+)\s/m.exec(text)?.[1]
  if (uid === undefined) return undefined
  return { uid: Number(uid), peakBytes: kilobytes('VmHWM'), residentBytes: kilobytes('VmRSS') }
}

export interface ProcIo {
  readonly writtenBytes: number
  readonly diskBytes: number
}

export function parseIo(text: string): ProcIo | undefined {
  const written = /^wchar: (\d+)$/m.exec(text)?.[1]
  const disk = /^write_bytes: (\d+)$/m.exec(text)?.[1]
  if (written === undefined || disk === undefined) return undefined
  return { writtenBytes: bounded(written), diskBytes: bounded(disk) }
}

/** A counter beyond 2^53 is held at the border instead of losing its sense. */
function bounded(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}

/** Arguments as bytes in latin1: a NUL ends each, and an empty one counts. */
export function parseCommandLine(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\0') ? text.slice(0, -1) : text).split('\0')
}
