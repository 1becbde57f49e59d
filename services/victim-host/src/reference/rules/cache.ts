import { createHash } from 'node:crypto'
import type { Disk } from '../disk.ts'
import type { Guard, Rule } from '../rule.ts'

/** Where copies are, and what makes them trustworthy. */

export const identityInPath: Rule = {
  id: 'H8',
  clauses: ['H9', 'H11', 'iS14'],
  says: 'Every path encodes the server and the URI, so no skill takes the place of another one of its name.',
}

export const privatePlace: Rule = {
  id: 'H32',
  clauses: ['iH5', 'iH16'],
  says: 'Copies lie outside every place where local skills are looked for, and go with the server.',
}

export const rehash: Rule = {
  id: 'H31',
  clauses: [],
  says: 'A cached file is hashed again before it is used.',
}

export const fromCopy: Rule = {
  id: 'iH9',
  clauses: [],
  says: 'After an archive is verified, its files are read from the unpacked copy, never live.',
}

export interface Places {
  /** The host's own folder. */
  readonly store: string
  /** Where local skills are looked for. */
  readonly discovery: string
}

/** The directory of a skill's files. `origin.json` beside it tells where they are from. */
export function skillFolder(guard: Guard, places: Places, server: string, uri: string, name: string): string {
  // The careless way: as a local skill of this name would lie.
  if (!guard.on(identityInPath)) return `${places.discovery}/${name}`
  const base = guard.on(privatePlace) ? places.store : places.discovery
  return `${base}/${server}/${createHash('sha256').update(uri).digest('hex').slice(0, 16)}/files`
}

/** The cached file when it still is what its digest says; a stored label or time would prove nothing. */
export function readCached(guard: Guard, disk: Disk, path: string, digest: string): Buffer | undefined {
  const bytes = disk.readIfThere(path)
  if (bytes === undefined) return undefined
  if (!guard.on(rehash)) return bytes
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}` === digest ? bytes : undefined
}

/** Removes everything of a server. */
export function forgetServer(disk: Disk, places: Places, server: string): void {
  disk.remove(`${places.store}/${server}`)
}
