import type { BundleFile } from './canonical.ts'
import { canonicalBytes, comparePaths } from './canonical.ts'
import { bundleSchema } from './limits.ts'
import { checkRows } from './rows.ts'

/** The wire form of `skills-anywhere-bundle-1` (section 1). `files` is in the order of `comparePaths`. */
export interface BundleManifest {
  readonly schema: typeof bundleSchema
  readonly sha256: string
  readonly total_bytes: number
  readonly files: readonly BundleFile[]
}

/** SHA-256 as lowercase hex. Given by the caller: Node and the browser each have their own. */
export type Sha256 = (bytes: Uint8Array<ArrayBuffer>) => string | Promise<string>

/** Makes the manifest of files in any order. @throws LandfallError as `checkRows` does. */
export async function makeManifest(files: readonly BundleFile[], sha256: Sha256): Promise<BundleManifest> {
  const sorted = files.toSorted((a, b) => comparePaths(a.path, b.path))
  const { rows, totalBytes } = checkRows(sorted)
  return { schema: bundleSchema, sha256: await sha256(canonicalBytes(rows)), total_bytes: totalBytes, files: rows }
}
