/** What live events may cost. A victim chooses how many there are; running into a limit is said. */
export interface LiveLimits {
  /** Directories watched. One descriptor each, and about a kilobyte of the kernel's memory. */
  readonly watches: number
  /** Bytes of one directory's path: four times what a path may have in one call, and every name below carries it. */
  readonly pathBytes: number
  /** Events listed, and bytes of their paths. */
  readonly events: number
  readonly eventBytes: number
  /** Names that appeared in the trial and are still remembered. */
  readonly names: number
  /** Things that came and went listed, and likewise the tokens in them; and bytes of their paths. */
  readonly transient: number
  readonly transientBytes: number
  /** Names handed on to be held against W1, and bytes of their paths; with more, that is not done. */
  readonly standing: number
  readonly standingBytes: number
  /** Losses listed of each kind. */
  readonly losses: number
  /** New files held open a little, so that their content can be read when they are deleted. */
  readonly heldFiles: number
  /** Bytes read of one such file, and of all. */
  readonly fileBytes: number
  readonly contentBytes: number
  /** After so long without a look at the queue, in milliseconds, nothing is known of the time in between. */
  readonly gapMs: number
  /** A rename's second half is waited for this long. */
  readonly renameMs: number
}

export const defaultLiveLimits: LiveLimits = {
  watches: 32_768,
  pathBytes: 16_384,
  events: 10_000,
  eventBytes: 2 * 1024 * 1024,
  names: 262_144,
  transient: 2_000,
  transientBytes: 4 * 1024 * 1024,
  standing: 100_000,
  standingBytes: 16 * 1024 * 1024,
  losses: 50,
  heldFiles: 2_048,
  fileBytes: 256 * 1024,
  contentBytes: 64 * 1024 * 1024,
  gapMs: 5_000,
  renameMs: 100,
}
