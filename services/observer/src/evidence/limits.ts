/** What may be kept of what victims wrote. Reaching one of these is said in the observation, and is no blindness. */
export interface EvidenceLimits {
  /** Of one file. */
  readonly fileBytes: number
  /** Of one trial. */
  readonly trialBytes: number
  /** Of all trials; the oldest is dropped for a new one. */
  readonly storeBytes: number
}

const mebibyte = 1024 * 1024

/** The store is memory: it stands in the observer's own limit, and compose.yaml gives it somewhat more room. */
export const defaultEvidenceLimits: EvidenceLimits = {
  fileBytes: 4 * mebibyte,
  trialBytes: 12 * mebibyte,
  storeBytes: 24 * mebibyte,
}

/** Files of an observation that are listed as not kept; the rest is counted. */
export const listedNotStored = 200

const page = 4_096
const inode = 1_024

/** What a file takes of the memory: whole pages, and what the kernel needs to know of it. */
export function costOf(size: number): number {
  return Math.ceil(size / page) * page + inode
}
