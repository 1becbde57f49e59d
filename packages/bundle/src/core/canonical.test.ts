import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../read-bundle.ts'
import { row } from '../testing/rows.ts'
import { filesOf, vectors } from '../testing/vectors.ts'
import { canonicalBytes, comparePaths, makeManifest } from './index.ts'

describe.each(vectors)('vector $id', (vector) => {
  const files = Object.entries(filesOf(vector)).map(([path, content]) => ({
    path,
    bytes: content.length,
    sha256: sha256(content),
  }))

  it('has the manifest that is expected, in whatever order its files come', async () => {
    expect(await makeManifest(files, sha256)).toEqual(vector.expected)
    expect(await makeManifest(files.toReversed(), sha256)).toEqual(vector.expected)
  })

  it('has the same digest with the hash of browsers', async () => {
    const subtle = async (bytes: Uint8Array<ArrayBuffer>) =>
      Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
    expect(await makeManifest(files, subtle)).toEqual(vector.expected)
  })

  it('has another digest in the order of code points, where the two orders differ', () => {
    const byBytes = files.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
    expect(sha256(canonicalBytes(byBytes))).toBe(vector.wrong_if_sorted_by_utf8_bytes ?? vector.expected.sha256)
  })
})

describe('comparePaths', () => {
  it('is the order of UTF-16 code units', () => {
    const units = (text: string) => Buffer.from(text, 'utf16le').swap16()
    const path = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(path, path, (a, b) => {
        expect(Math.sign(comparePaths(a, b))).toBe(Math.sign(Buffer.compare(units(a), units(b))))
      }),
    )
  })
})

describe('canonicalBytes', () => {
  it('escapes what JSON must and nothing else', () => {
    const text = Buffer.from(canonicalBytes([row('a/"é\u2028😀')])).toString('utf8')
    expect(text).toBe(`["skills-anywhere-bundle-1",[["a/\\"é\u2028😀",0,"${row('').sha256}"]]]`)
  })
})
