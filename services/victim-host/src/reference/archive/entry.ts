/** One entry of an archive, as its reader understands it. */
export interface ArchiveEntry {
  readonly path: string
  readonly type: 'file' | 'directory' | 'symlink' | 'link' | 'fifo' | 'other'
  readonly mode: number
  /** Of a link. */
  readonly target?: string
  readonly bytes: Buffer
}

/** What a reader found, and what stopped it, if anything did. */
export interface ReadArchive {
  readonly entries: readonly ArchiveEntry[]
  readonly failure?: string
}
