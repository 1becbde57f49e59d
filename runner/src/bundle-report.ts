import type { BundleDifference, BundleManifest } from '@landfall/bundle'
import { quotePath } from '@landfall/bundle'
import { reasonOf } from './bundle-error.ts'

/** What `landfall bundle` prints, for people and for programs (section 6 of the fact sheet). Ends in a line feed. */

const onlyContents =
  'Only the paths and contents of regular files count. This says nothing of who wrote them or of what they do,\n' +
  'and nothing keeps them as they are: compare again where they are used.'

export function manifestJson(manifest: BundleManifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

export function manifestText(manifest: BundleManifest, root: string): string {
  return lines([manifest.sha256, `${contentsOf(manifest)} in ${quotePath(root)}`, onlyContents])
}

export function comparisonJson(
  expected: BundleManifest,
  actual: BundleManifest,
  { matches, added, removed, changed }: BundleDifference,
): string {
  const comparison = {
    schema: 'skills-anywhere-bundle-comparison-1',
    matches,
    expected_sha256: expected.sha256,
    actual_sha256: actual.sha256,
    added,
    removed,
    changed,
    manifest: actual,
  }
  return `${JSON.stringify(comparison, null, 2)}\n`
}

export function comparisonText(expected: BundleManifest, actual: BundleManifest, difference: BundleDifference): string {
  const { matches, added, removed, changed } = difference
  return lines([
    matches ? 'The directory is the one of the manifest.' : 'The directory is NOT the one of the manifest.',
    ...added.map((path) => `ADDED ${quotePath(path)}`),
    ...removed.map((path) => `REMOVED ${quotePath(path)}`),
    ...changed.map((path) => `CHANGED ${quotePath(path)}`),
    ...(matches ? [] : [`expected ${expected.sha256}`]),
    `${matches ? '' : 'actual   '}${actual.sha256}`,
    contentsOf(actual),
    onlyContents,
  ])
}

/** One line. */
export function errorText(error: unknown): string {
  return `Bundle check failed: ${quotePath(reasonOf(error))}\n`
}

function contentsOf({ files, total_bytes }: BundleManifest): string {
  return `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${total_bytes} bytes`
}

function lines(items: readonly string[]): string {
  return `${items.join('\n')}\n`
}
