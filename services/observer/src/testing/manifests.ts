import type { EntryDifference } from '../diff.ts'
import { Difference, entryDifference } from '../diff.ts'
import type { RawEntry } from '../entry.ts'
import type { ManifestNode } from '../manifest.ts'
import { Manifest } from '../manifest.ts'

/** A manifest as a test writes it down: path to entry. */
export type Paths = ReadonlyMap<string, RawEntry>

const parentOf = (key: string): string => key.slice(0, Math.max(1, key.lastIndexOf('/')))
const parentsFirst = (paths: Paths) => [...paths].toSorted(([a], [b]) => a.length - b.length)

export function toManifest(paths: Paths): Manifest {
  const manifest = new Manifest()
  const nodes = new Map<string, ManifestNode>()
  for (const [key, entry] of parentsFirst(paths)) {
    const parent = key === '/' ? undefined : nodes.get(parentOf(key))
    const name = parent === undefined ? key : key.slice(key.lastIndexOf('/') + 1)
    nodes.set(key, manifest.add(parent, name, entry))
  }
  return manifest
}

/** The whole difference of two manifests, as a walk of the later one finds it. */
export function diff(before: Paths, after: Paths): EntryDifference[] {
  const difference = new Difference(toManifest(before))
  const met = new Map<string, ManifestNode | undefined>()
  const seen = parentsFirst(after).flatMap(([key, entry]) => {
    const within = key === '/' ? undefined : met.get(parentOf(key))
    const name = key === '/' ? key : key.slice(key.lastIndexOf('/') + 1)
    const found = difference.meet(within, name, entry)
    met.set(key, found.before)
    return found.same ? [] : [entryDifference(key, found.before?.entry, entry)]
  })
  return [...seen, ...difference.removed()]
}

export const sampleEntry: RawEntry = {
  type: 'symlink',
  mode: 1,
  uid: 1,
  gid: 1,
  size: 1,
  links: 1,
  dev: 1,
  inoHigh: 1,
  inoLow: 1,
  mtimeSeconds: 1,
  mtimeNanos: 1,
  ctimeSeconds: 1,
  ctimeNanos: 1,
  target: 't',
  xattrs: 'user.a AA==',
}

/** For every field of the contract, entries that differ from the sample in it alone. */
export const fieldChanges: readonly [field: string, change: Partial<RawEntry>][] = [
  ['type', { type: 'file' }],
  ['mode', { mode: 2 }],
  ['uid', { uid: 2 }],
  ['gid', { gid: 2 }],
  ['size', { size: 2 }],
  ['size', { size: 2 ** 40 }],
  ['links', { links: 2 }],
  ['dev', { dev: 2 }],
  ['ino', { inoHigh: 2 }],
  ['ino', { inoLow: 2 }],
  ['mtimeNs', { mtimeNanos: 2 }],
  ['mtimeNs', { mtimeSeconds: 2 }],
  ['mtimeNs', { mtimeSeconds: -1 }],
  ['ctimeNs', { ctimeNanos: 2 }],
  ['ctimeNs', { ctimeSeconds: 2 }],
  ['target', { target: 'u' }],
  ['xattrs', { xattrs: 'user.a AQ==' }],
]
