/** Everything that a victim can make the sinkhole hold or do has one of these limits. */
export interface Limits {
  /** Trials that are open at once, and milliseconds after which one that nobody ended is forgotten. */
  readonly trials: number
  readonly lifetimeMs: number
  /** Entries that are kept of one trial, of each kind. */
  readonly requests: number
  readonly queries: number
  readonly faults: number
  readonly sightings: number
  /** Bytes of what was sent that are kept of one trial, and of all together. */
  readonly trialBytes: number
  readonly allBytes: number
  /** Bytes of one body that are read, and that are kept. */
  readonly bodyRead: number
  readonly bodyKept: number
  /** Connections that are open at once, on each port. */
  readonly connections: number
  /** Milliseconds for the head of a request, for all of it, and between two on one connection. */
  readonly headMs: number
  readonly requestMs: number
  readonly idleMs: number
  /** Certificates that are kept, one for each name. */
  readonly certificates: number
}

const mebibyte = 1024 * 1024

export const defaultLimits: Limits = {
  trials: 256,
  lifetimeMs: 60 * 60 * 1_000,
  requests: 2_000,
  queries: 2_000,
  faults: 200,
  sightings: 2_000,
  trialBytes: 4 * mebibyte,
  allBytes: 64 * mebibyte,
  bodyRead: 8 * mebibyte,
  bodyKept: 16 * 1024,
  connections: 512,
  headMs: 10_000,
  requestMs: 30_000,
  idleMs: 15_000,
  certificates: 500,
}
