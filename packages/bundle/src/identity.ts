import type { BigIntStats } from 'node:fs'

/** What tells one state of one file from another (section 5). Times are nanoseconds since the epoch. */
export interface Identity {
  readonly dev: bigint
  readonly ino: bigint
  readonly mode: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

/** Names a file whatever its state. */
export type FileId = Pick<Identity, 'dev' | 'ino'>

export function identityOf({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): Identity {
  return { dev, ino, mode, size, mtimeNs, ctimeNs }
}

export function isSame(a: Identity, b: Identity): boolean {
  return (
    isSameFile(a, b) && a.mode === b.mode && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs
  )
}

export function isSameFile(a: FileId, b: FileId): boolean {
  return a.dev === b.dev && a.ino === b.ino
}
