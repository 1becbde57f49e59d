/**
 * Whether something may have come and gone in a new directory before it could be watched. Pure.
 *
 * A directory's modification time is the time of the last name that came or went. If that is the time of its own
 * making, or of something that is still there, nothing is missing as far as clocks can tell: file systems date in
 * steps of the kernel's tick, so what happens within one tick looks the same.
 */
export interface FirstLook {
  /** Microseconds; undefined where the file system does not keep it. */
  readonly bornUs: number | undefined
  /** Read when the watch stood, before the directory was listed. */
  readonly modifiedUs: number
  /** Between `modifiedUs` and the making, moving or changing of the entry that is nearest to it; Infinity without any. */
  readonly nearestUs: number
}

/** The longest tick of any kernel configuration, in microseconds. */
export const tickUs = 10_000

export function mayHaveMissed({ bornUs, modifiedUs, nearestUs }: FirstLook): boolean {
  return modifiedUs !== bornUs && nearestUs > tickUs
}
