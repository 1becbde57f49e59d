import type { BundleManifest } from '../core/index.ts'
import { manifestOf, row, rows } from './rows.ts'

/** A manifest that is right, and each sentence of negatives.json about manifests as values that are refused. */
export const good: BundleManifest = manifestOf([row('SKILL.md', 3), row('run.sh', 4)])

/** The good manifest with its second row replaced, and everything else made to agree. */
const withRow = (value: unknown) => ({ ...good, files: [good.files[0], value] })
export const withFiles = (...files: Parameters<typeof row>[]) => manifestOf(files.map((args) => row(...args)))

/** Each sentence of negatives.json, with what is refused and how. */
export const negativeManifests: Readonly<Record<string, readonly [word: string, value: unknown][]>> = {
  'unknown schema string': [
    ['manifest-schema', { ...good, schema: 'skills-anywhere-bundle-2' }],
    ['manifest-schema', { ...good, schema: 1 }],
  ],
  'extra top-level field': [['manifest-fields', { ...good, note: '' }]],
  'missing top-level field': [
    ['manifest-fields', { schema: good.schema, sha256: good.sha256, files: good.files }],
    ['manifest-fields', {}],
    ['manifest-fields', []],
    ['manifest-fields', null],
    ['manifest-fields', 'manifest'],
    ['manifest-fields', { ...good, files: {} }],
    ['manifest-fields', { ...good, total_bytes: '7' }],
  ],
  'extra field in a file row': [
    ['row-fields', withRow({ ...row('run.sh', 4), mode: 493 })],
    ['row-fields', withRow({ path: 'run.sh', bytes: 4 })],
    ['row-fields', withRow({ ...row('run.sh', 4), path: 7 })],
  ],
  'row is null / array': [
    ['row-fields', withRow(null)],
    ['row-fields', withRow(['run.sh', 4, row('').sha256])],
    ['row-fields', withRow('run.sh')],
  ],
  'sha256 not 64 lowercase hex': [
    ['manifest-fields', { ...good, sha256: good.sha256.toUpperCase() }],
    ['manifest-fields', { ...good, sha256: `sha256:${good.sha256}` }],
    ['row-digest', withRow({ ...row('run.sh', 4), sha256: 'a'.repeat(63) })],
    ['row-digest', withRow({ ...row('run.sh', 4), sha256: 'A'.repeat(64) })],
    ['row-digest', withRow({ ...row('run.sh', 4), sha256: `${'a'.repeat(64)}\n` })],
    ['row-digest', withRow({ ...row('run.sh', 4), sha256: 1 })],
  ],
  'bytes negative, fractional, boolean, string, > 16777216': [
    ['row-bytes', withRow({ ...row('run.sh'), bytes: -1 })],
    ['row-bytes', withRow({ ...row('run.sh'), bytes: 0.5 })],
    ['row-bytes', withRow({ ...row('run.sh'), bytes: true })],
    ['row-bytes', withRow({ ...row('run.sh'), bytes: '4' })],
    ['row-bytes', withRow({ ...row('run.sh'), bytes: 1e300 })],
    ['file-size', withFiles(['SKILL.md'], ['run.sh', 16777217])],
  ],
  'SKILL.md bytes > 131072': [['skill-md-size', withFiles(['SKILL.md', 131073])]],
  'rows not in ascending UTF-16 order': [
    ['row-order', withFiles(['run.sh'], ['SKILL.md'])],
    ['row-order', withFiles(['SKILL.md'], ['\uE000'], ['😀'])],
  ],
  'duplicate path': [['row-duplicate', withFiles(['SKILL.md'], ['SKILL.md'])]],
  'a path that is also a parent (SKILL.md and SKILL.md/child)': [
    ['row-parent', withFiles(['SKILL.md'], ['SKILL.md/child'])],
    ['row-parent', withFiles(['SKILL.md'], ['a'], ['a-b'], ['a/b/c'])],
    ['row-parent', withFiles(['SKILL.md'], ['a/b'], ['a/b/c/d'])],
  ],
  'no SKILL.md row': [
    ['no-skill-md', withFiles(['skill.md'])],
    ['no-skill-md', withFiles(['inner/SKILL.md'])],
  ],
  '0 rows or 513 rows': [
    ['no-files', manifestOf([])],
    ['too-many-files', manifestOf(rows(513))],
  ],
  'sum of bytes > 33554432': [['total-size', withFiles(['SKILL.md', 1], ['a', 16777216], ['b', 16777216])]],
  'total_bytes differs from the sum': [
    ['manifest-total', { ...good, total_bytes: 8 }],
    ['manifest-total', { ...good, total_bytes: -7 }],
  ],
  'sha256 differs from recomputed': [['manifest-digest', { ...good, sha256: 'a'.repeat(64) }]],
}
