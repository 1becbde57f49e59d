import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../read-bundle.ts'
import { good, negativeManifests, withFiles } from '../testing/negative-manifests.ts'
import { refused } from '../testing/refused.ts'
import { manifestOf, row, rows } from '../testing/rows.ts'
import { negatives, vectors } from '../testing/vectors.ts'
import { checkManifest, parseManifest, refusalOf } from './index.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value))
const check = (value: unknown) => checkManifest(value, sha256)

describe('checkManifest', () => {
  it.each(Object.entries(negativeManifests))('refuses: %s', async (_sentence, refusedValues) => {
    for (const [word, value] of refusedValues) expect([await refused(() => check(value)), value]).toEqual([word, value])
  })

  it('leaves out no sentence of the vectors but the ones about bytes', () => {
    const aboutBytes = negatives.manifests.filter((sentence) => sentence.includes('1 MiB'))
    expect(aboutBytes).toHaveLength(1)
    expect([...Object.keys(negativeManifests), ...aboutBytes].toSorted()).toEqual(negatives.manifests.toSorted())
  })

  it('refuses the paths that the vectors refuse', async () => {
    for (const { path, valid } of negatives.paths.filter(({ path }) => path !== 'SKILL.md')) {
      const files = [row('SKILL.md'), row(path)].toSorted((a, b) => (a.path < b.path ? -1 : 1))
      if (valid) expect((await check(manifestOf(files))).files).toHaveLength(2)
      else expect(await refused(() => check(manifestOf(files)))).toMatch(/^path-/)
    }
  })

  it.each([
    ['512 rows', manifestOf(rows(512))],
    ['16 MiB in a file', withFiles(['SKILL.md'], ['a', 16777216])],
    ['128 KiB in SKILL.md', withFiles(['SKILL.md', 131072])],
    ['more than 128 KiB in a nested SKILL.md', withFiles(['SKILL.md'], ['inner/SKILL.md', 131073])],
    ['32 MiB altogether', withFiles(['SKILL.md'], ['a', 16777216], ['b', 16777216])],
  ])('takes %s', async (_what, manifest) => {
    expect(await check(manifest)).toEqual(manifest)
  })

  it('does not take a field of the prototype for one of the object', async () => {
    const text = JSON.stringify(good).replace('"schema"', '"__proto__"')
    expect(await refused(() => parseManifest(Buffer.from(text), sha256))).toBe('manifest-fields')
  })
})

describe('parseManifest', () => {
  it.each(vectors)('takes the manifest of $id, whatever its spaces and the order of its keys', async ({ expected }) => {
    const reversed = Object.fromEntries(Object.entries(expected).toReversed())
    expect(await parseManifest(encode(expected), sha256)).toEqual(expected)
    expect(await parseManifest(Buffer.from(JSON.stringify(reversed, null, 4)), sha256)).toEqual(expected)
  })

  it('takes 1 MiB and refuses one byte more', async () => {
    const padded = (length: number) => Buffer.concat([encode(good), Buffer.alloc(length, ' ')]).subarray(0, length)
    expect(await parseManifest(padded(1024 * 1024), sha256)).toEqual(good)
    expect(await refused(() => parseManifest(padded(1024 * 1024 + 1), sha256))).toBe('manifest-size')
  })

  it.each([
    ['manifest-encoding', Buffer.from([0x22, 0xff, 0x22])],
    ['manifest-json', Buffer.from('{"schema":')],
    ['manifest-json', Buffer.alloc(0)],
    ['manifest-json', Buffer.from('[NaN]')],
  ])('says %s', async (word, bytes) => {
    expect(await refused(() => parseManifest(bytes, sha256))).toBe(word)
  })

  it('refuses or returns what agrees with itself, whatever it is given', async () => {
    const row = fc.record({ path: fc.string(), bytes: fc.nat(), sha256: fc.constant(good.sha256) })
    const value = fc.record({
      schema: fc.constant(good.schema),
      sha256: fc.constant(good.sha256),
      total_bytes: fc.oneof(fc.nat(), fc.jsonValue()),
      files: fc.oneof(fc.array(row), fc.array(fc.jsonValue()), fc.constant(good.files)),
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), value), async (input) => {
        const answer = await check(input).catch((error: unknown) => refusalOf(error))
        expect(typeof answer === 'string' ? good : answer).toEqual(good)
      }),
    )
  })

  it('finds any single change of a manifest', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...vectors), fc.nat(), fc.integer({ min: 1, max: 255 }), async (...args) => {
        const [{ expected }, at, flip] = args
        const bytes = encode(expected)
        const index = at % bytes.length
        bytes.writeUInt8(bytes.readUInt8(index) ^ flip, index)
        expect(await refused(() => parseManifest(bytes, sha256))).toBeDefined()
      }),
    )
  })
})
