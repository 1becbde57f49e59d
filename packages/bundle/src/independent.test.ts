import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readBundle } from './index.ts'

const trees = 500

/** What sorts, composes, escapes or shows differently depending on who looks. */
const ascii = ['a', 'Z', '0', '_', '-', '.', ' ', '"', "'", '%', '+', '&', '<', '~']
const marked = ['\u00E9', 'e\u0301', '\u0301', '\u1E69', 's\u0323\u0307', '\u1100\u1161', '\uAC00']
const high = ['日', '\uE000', '\uFF5E', '\uFFEE', '😀', '\u{1D11E}', '\u{10FFFF}']
const unseen = ['\u202E', '\u0085', '\u2028', '\u00A0']
const segment = fc
  .array(fc.constantFrom(...ascii, ...marked, ...high, ...unseen), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''))
  .filter((name) => name !== '.' && name !== '..')
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'))
const tree = fc.dictionary(path, fc.uint8Array({ maxLength: 40 }), { maxKeys: 8 })

it(`agrees with an independent implementation on ${trees} random trees`, async () => {
  using base = disposableFolder()
  const seed = Date.now()
  const sample = fc.sample(tree, { numRuns: trees, seed })
  for (const [index, files] of sample.entries()) {
    for (const [name, content] of Object.entries({ ...files, 'SKILL.md': '# A skill\n' }))
      writeWherePossible(join(base.path, String(index), name), content)
  }

  const script = fileURLToPath(new URL('./testing/independent.py', import.meta.url))
  const output = execFileSync('python3', [script, base.path], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const theirs = JSON.parse(output) as Record<string, unknown>

  expect(Object.keys(theirs)).toHaveLength(trees)
  for (const index of sample.keys()) {
    const { manifest } = await readBundle(join(base.path, String(index)))
    expect(manifest, `seed ${seed}, tree ${index}`).toEqual(theirs[String(index)])
  }
}, 60_000)

/** Two random paths may want one name for a file and a directory; the first one has it. */
function writeWherePossible(place: string, content: string | Uint8Array): void {
  try {
    mkdirSync(dirname(place), { recursive: true })
    if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) writeFileSync(place, content)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error
  }
}

function disposableFolder() {
  const path = mkdtempSync(join(tmpdir(), 'landfall-trees-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
