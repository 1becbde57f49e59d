import type { BundleFile, BundleManifest } from '../core/index.ts'
import { canonicalBytes, comparePaths } from '../core/index.ts'
import { sha256 } from '../read-bundle.ts'

const empty = sha256(Buffer.alloc(0))

/** A row of a manifest that needs no file. */
export function row(path: string, bytes = 0): BundleFile {
  return { path, bytes, sha256: empty }
}

/** `count` rows with SKILL.md among them, sorted. */
export function rows(count: number): BundleFile[] {
  return [row('SKILL.md'), ...[...Array(count - 1).keys()].map((index) => row(`f${index}`))].toSorted((a, b) =>
    comparePaths(a.path, b.path),
  )
}

/** A manifest that agrees with itself, whatever its rows are. */
export function manifestOf(files: readonly BundleFile[]): BundleManifest {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  return { schema: 'skills-anywhere-bundle-1', sha256: sha256(canonicalBytes(files)), total_bytes: total, files }
}
