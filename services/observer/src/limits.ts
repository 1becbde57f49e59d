/**
 * What one observation may cost. A victim chooses how much there is to see, so everything it can make
 * larger has a limit, and running into one is said as blindness and never passed over in silence.
 */
export interface Limits {
  /** Entries looked at in one walk. */
  readonly entries: number
  /** Directories below each other; one descriptor is open for each. */
  readonly depth: number
  /** Bytes of one path. Far beyond PATH_MAX, but every entry below carries its whole path. */
  readonly pathBytes: number
  /** Bytes of the names of directories that still wait to be read, and of the names in the one being read. */
  readonly pendingBytes: number
  /** Characters of extended attributes kept in one walk. */
  readonly xattrBytes: number
  /** Entries kept in memory in a manifest: about 410 bytes each (measured), of a heap of 144 MB. */
  readonly manifestEntries: number
  /** Bytes of file content read in one observation. */
  readonly contentBytes: number
  /** Bytes of content read of one file, so that one alone does not use up the whole. */
  readonly fileBytes: number
  /** Changes listed in an observation. What is beyond is still searched for tokens. */
  readonly changes: number
  /** Bytes of paths and link targets in the listed changes. */
  readonly changeBytes: number
  /** Sightings, and foreign tokens, listed in an observation. */
  readonly sightings: number
  /** Wall clock of one walk with its search, in milliseconds. */
  readonly walkMs: number
}

const mebibyte = 1024 * 1024

export const defaultLimits: Limits = {
  entries: 1_000_000,
  depth: 4_096,
  pathBytes: 65_536,
  pendingBytes: 32 * mebibyte,
  xattrBytes: 4 * mebibyte,
  manifestEntries: 200_000,
  contentBytes: 2_048 * mebibyte,
  fileBytes: 1_024 * mebibyte,
  changes: 10_000,
  changeBytes: 8 * mebibyte,
  sightings: 10_000,
  walkMs: 60_000,
}

/** Blindness listed in an observation; the last one counts the rest. */
export const listedBlindness = 200
