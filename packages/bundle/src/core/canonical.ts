import { bundleSchema } from './limits.ts'

/** One regular file of a bundle. */
export interface BundleFile {
  readonly path: string
  readonly bytes: number
  /** 64 lowercase hex digits, without a prefix. */
  readonly sha256: string
}

/** The order of rows: UTF-16 code units of the whole path, which is neither code points nor UTF-8 bytes. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The bytes whose SHA-256 is the identity of a bundle (section 2). Rows must be in order. */
export function canonicalBytes(files: readonly BundleFile[]): Uint8Array<ArrayBuffer> {
  const rows = files.map(({ path, bytes, sha256 }) => [path, bytes, sha256])
  return new TextEncoder().encode(JSON.stringify([bundleSchema, rows]))
}
