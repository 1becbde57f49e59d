import type { RawEntry } from './entry.ts'

/** Everything a victim has at one moment: path bytes (latin1) to entry. */
export type Manifest = ReadonlyMap<string, RawEntry>
