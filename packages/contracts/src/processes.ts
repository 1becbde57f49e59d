import { z } from 'zod'

/**
 * Processes of a victim and what they used, sampled from the PID namespace that it shares with the observer.
 *
 * A process that lived between two samples is missing, so nothing follows from one that is not listed. Never
 * part of a verdict.
 */

/** Bytes in the wire form of a path, but not necessarily one: every byte that is not printable ASCII, and `%`, as `%XX`. */
export const WireText = z
  .string()
  .regex(/^(?:[\x20-\x24\x26-\x7e]|%[0-9A-F]{2})*$/, 'expected bytes in wire form')
  .max(3 * 65_536)

/** What a process called itself at one sample. The kernel keeps this in the process's own memory, so it can lie. */
export const ProcessCommand = z.strictObject({
  /** Empty when the process had none left to read. */
  argv: z.array(WireText),
  /** It was longer than what is kept. */
  cut: z.literal(true).optional(),
  /** The program's file inside the victim, as the kernel names it; absent when it could not be read. */
  exe: WireText.optional(),
})
export type ProcessCommand = z.infer<typeof ProcessCommand>

export const SampledProcess = z.strictObject({
  pid: z.int().positive(),
  /** 0 when its parent is outside of the PID namespace: the engine started it. */
  ppid: z.int().nonnegative(),
  /** The kernel's short name, at most 15 bytes. */
  name: WireText,
  /** One for each program that it was seen to run, in order; a process that calls exec has several. */
  commands: z.array(ProcessCommand),
  /** Effective user id. */
  uid: z.int().nonnegative(),
  /** It was there when the observation began. Its numbers count from then on, its peak of memory from its start. */
  before: z.literal(true).optional(),
  /** Milliseconds since the observation began. */
  firstSeenMs: z.number().nonnegative(),
  lastSeenMs: z.number().nonnegative(),
  /** User and system time at its last sample, without children. */
  cpuSeconds: z.number().nonnegative(),
  /** The kernel's own high-water mark of resident memory (VmHWM) at its last sample. */
  peakBytes: z.int().nonnegative(),
  /** Bytes handed to write calls (wchar): pipes and sockets too, and what children did that it waited for. Absent when unreadable. */
  writtenBytes: z.int().nonnegative().optional(),
})
export type SampledProcess = z.infer<typeof SampledProcess>

export const ProcessTotals = z.strictObject({
  cpuSeconds: z.number().nonnegative(),
  peakProcessBytes: z.int().nonnegative(),
  peakSumBytes: z.int().nonnegative(),
  peakProcesses: z.int().nonnegative(),
  writtenBytes: z.int().nonnegative(),
  diskBytes: z.int().nonnegative(),
  /** Absent when the victim has no tmpfs that is held. */
  tmpfsBytes: z.int().nonnegative().optional(),
  tmpfsInodes: z.int().nonnegative().optional(),
  /** Absent in what is seen of a living victim. */
  newInodes: z.int().nonnegative().optional(),
})
export type ProcessTotals = z.infer<typeof ProcessTotals>

/** How each total was obtained, as a sentence for people. All but `peakSumBytes` are lower bounds. */
export const howTotals: Readonly<Record<keyof ProcessTotals, string>> = {
  cpuSeconds:
    'Lower bound: user and system time of the processes that were sampled, and of children that they waited for.',
  peakProcessBytes: "Lower bound: the kernel's high-water mark of resident memory of the largest single process.",
  peakSumBytes:
    'Largest sum of resident memory at one sample. A page that several processes share is counted for each of them, and a peak between two samples is missed.',
  peakProcesses: 'Lower bound: most processes at one sample.',
  writtenBytes:
    'Lower bound: bytes handed to write calls by processes that were sampled, and by children that they waited for; pipes and sockets included.',
  diskBytes: 'Lower bound: bytes that the same processes made the kernel write to a disk. A tmpfs does not count.',
  tmpfsBytes: "Lower bound: most bytes used in the victim's own tmpfs mounts at one sample, beyond those at the start.",
  tmpfsInodes: "Lower bound: most inodes in the victim's own tmpfs mounts at one sample, beyond those at the start.",
  newInodes: 'Lower bound: entries that are new at the end, from the manifests. What was removed again is not in it.',
}

export const Processes = z.strictObject({
  how: z.literal('sampled'),
  /** Pause between two samples that was aimed at. */
  intervalMs: z.number().positive(),
  samples: z.int().nonnegative(),
  /** Longest time between two samples, or between one and the begin or the end: what lived shorter may be missing. */
  largestGapMs: z.number().nonnegative(),
  /** Time that the samples took. */
  costMs: z.number().nonnegative(),
  /** Processes that were sampled but are not listed, because there were too many. */
  unlisted: z.int().nonnegative(),
  list: z.array(SampledProcess),
  totals: ProcessTotals,
})
export type Processes = z.infer<typeof Processes>

/** An observation in which no process was sampled, for `forMs` milliseconds, and which says so. */
export function withoutProcesses(forMs: number): Processes {
  const totals = {
    cpuSeconds: 0,
    peakProcessBytes: 0,
    peakSumBytes: 0,
    peakProcesses: 0,
    writtenBytes: 0,
    diskBytes: 0,
  }
  return { how: 'sampled', intervalMs: 1, samples: 0, largestGapMs: forMs, costMs: 0, unlisted: 0, list: [], totals }
}
