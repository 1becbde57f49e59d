import type { BundleFile } from './canonical.ts'
import { comparePaths } from './canonical.ts'
import { checkPath } from './path.ts'
import { quotePath } from './quote.ts'
import { refusal, refusals } from './refusals.ts'
import { Tally } from './tally.ts'

/**
 * The rows of a manifest, whoever made them. Written by hand rather than with a schema library: each refusal
 * has its own word, and the same code is sent to the browser.
 */
export interface CheckedRows {
  readonly rows: readonly BundleFile[]
  readonly totalBytes: number
}

/** @throws LandfallError: every refusal of rows, paths and limits. The first one found counts. */
export function checkRows(values: readonly unknown[]): CheckedRows {
  const tally = new Tally()
  const rows: BundleFile[] = []
  for (const value of values) {
    const row = rowOf(value, rows.length)
    checkOrder(rows.at(-1), row)
    tally.file(row.path, row.bytes)
    rows.push(row)
  }
  checkParents(rows)
  return { rows, totalBytes: tally.end() }
}

export const sha256Pattern = /^[0-9a-f]{64}$/

function rowOf(value: unknown, index: number): BundleFile {
  const fields = fieldsOf(value, ['path', 'bytes', 'sha256'])
  const where = `Row ${index + 1} of the manifest`
  if (fields === undefined || typeof fields['path'] !== 'string') {
    throw refusal(refusals.rowFields, `${where} is not an object with path, bytes and sha256`, { row: index + 1 })
  }
  const { path, bytes, sha256 } = fields
  checkPath(path)
  const about = { row: index + 1, path }
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) {
    throw refusal(refusals.rowBytes, `${where} has no whole number of bytes: ${quotePath(path)}`, about)
  }
  if (typeof sha256 !== 'string' || !sha256Pattern.test(sha256)) {
    throw refusal(refusals.rowDigest, `${where} has no SHA-256 of 64 lowercase hex digits: ${quotePath(path)}`, about)
  }
  // Adding zero makes the -0 that JSON can hold an ordinary one.
  return { path, bytes: bytes + 0, sha256 }
}

/** An object's fields when they are exactly these. */
export function fieldsOf(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value)
  const exact = entries.length === names.length && entries.every(([name]) => names.includes(name))
  return exact ? Object.fromEntries(entries) : undefined
}

function checkOrder(before: BundleFile | undefined, row: BundleFile): void {
  if (before === undefined) return
  const order = comparePaths(before.path, row.path)
  if (order < 0) return
  const about = { path: row.path }
  if (order === 0) throw refusal(refusals.rowDuplicate, `Two rows for the path ${quotePath(row.path)}`, about)
  const pair = `${quotePath(row.path)} comes after ${quotePath(before.path)}`
  throw refusal(refusals.rowOrder, `Rows are not sorted by UTF-16 code units: ${pair}`, about)
}

function checkParents(rows: readonly BundleFile[]): void {
  const paths = new Set(rows.map(({ path }) => path))
  for (const { path } of rows) {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const parent = path.slice(0, slash)
      if (!paths.has(parent)) continue
      const message = `A file cannot also be a directory: ${quotePath(parent)} and ${quotePath(path)}`
      throw refusal(refusals.rowParent, message, { path: parent })
    }
  }
}
