import type { BundleManifest } from './manifest.ts'

/** How one bundle differs from another. Each list is in the order of the manifests. */
export interface BundleDifference {
  /** The digests are equal. */
  readonly matches: boolean
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** In both, with other bytes. A renamed file is one removed and one added. */
  readonly changed: readonly string[]
}

/** Holds `actual` against what was `expected`. Both must have been checked. */
export function compareManifests(expected: BundleManifest, actual: BundleManifest): BundleDifference {
  const before = new Map(expected.files.map((file) => [file.path, file]))
  const after = new Set(actual.files.map(({ path }) => path))
  const added: string[] = []
  const changed: string[] = []
  for (const { path, bytes, sha256 } of actual.files) {
    const known = before.get(path)
    if (known === undefined) added.push(path)
    else if (known.sha256 !== sha256 || known.bytes !== bytes) changed.push(path)
  }
  const removed = expected.files.map(({ path }) => path).filter((path) => !after.has(path))
  return { matches: expected.sha256 === actual.sha256, added, removed, changed }
}
