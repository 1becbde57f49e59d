import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256 } from '../read-bundle.ts'
import type { BundleFile } from './index.ts'
import { compareManifests, makeManifest } from './index.ts'

const make = async (contents: Readonly<Record<string, string>>) => {
  const files: BundleFile[] = Object.entries({ 'SKILL.md': '', ...contents }).map(([path, content]) => ({
    path,
    bytes: Buffer.byteLength(content),
    sha256: sha256(Buffer.from(content)),
  }))
  return await makeManifest(files, sha256)
}

it('calls a renamed file one removed and one added', async () => {
  const difference = compareManifests(await make({ old: 'x' }), await make({ new: 'x' }))
  expect(difference).toEqual({ matches: false, added: ['new'], removed: ['old'], changed: [] })
})

it('lists in the order of manifests', async () => {
  const [before, after] = [await make({ '\uE000': '1', '😀': '1' }), await make({ '\uE000': '2', '😀': '2' })]
  expect(compareManifests(before, after).changed).toEqual(['😀', '\uE000'])
})

it('finds exactly what differs between any two bundles', async () => {
  const contents = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.constantFrom('', '1', '2'))
  await fc.assert(
    fc.asyncProperty(contents, contents, async (before, after) => {
      const found = compareManifests(await make(before), await make(after))
      const [old, fresh] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
      const changed = [...old].filter(([path, content]) => fresh.has(path) && fresh.get(path) !== content)
      expect(found.added).toEqual([...fresh.keys()].filter((path) => !old.has(path)).toSorted())
      expect(found.removed).toEqual([...old.keys()].filter((path) => !fresh.has(path)).toSorted())
      expect(found.changed).toEqual(changed.map(([path]) => path).toSorted())
      expect(found.matches).toBe([...found.added, ...found.removed, ...found.changed].length === 0)
    }),
  )
})
