import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readManifestFile } from './index.ts'
import { refused } from './testing/refused.ts'
import { manifestOf, row } from './testing/rows.ts'
import { Tree } from './testing/tree.ts'

const good = manifestOf([row('SKILL.md')])
const read = (tree: Tree, path: string) => readManifestFile(tree.outside(path), tree.root)

const newTree = () => {
  const tree = new Tree({ 'SKILL.md': '', 'manifest.json': JSON.stringify(good) })
  writeFileSync(tree.outside('manifest.json'), JSON.stringify(good))
  return tree
}

describe('readManifestFile', () => {
  it('reads a manifest, through a link too', async () => {
    using tree = newTree()
    symlinkSync('manifest.json', tree.outside('link'))
    expect((await read(tree, 'manifest.json')).manifest).toEqual(good)
    expect((await read(tree, 'link')).manifest).toEqual(good)
  })

  it('refuses one inside the directory, however it is reached', async () => {
    using tree = newTree()
    symlinkSync('skill/manifest.json', tree.outside('link'))
    symlinkSync('skill', tree.outside('same'))
    for (const path of ['skill/manifest.json', 'link', 'same/manifest.json', 'skill/../skill/manifest.json'])
      expect(await refused(() => read(tree, path))).toBe('manifest-inside')
  })

  it('does not take a neighbour with a longer name for the inside', async () => {
    using tree = newTree()
    writeFileSync(tree.outside('skill.json'), JSON.stringify(good))
    expect((await read(tree, 'skill.json')).manifest).toEqual(good)
  })

  it('refuses what is no regular file, without waiting for it', async () => {
    using tree = newTree()
    execFileSync('mkfifo', [tree.outside('pipe')])
    for (const path of ['pipe', '.']) expect(await refused(() => read(tree, path))).toBe('manifest-kind')
    expect(await refused(() => readManifestFile('/dev/null', tree.root))).toBe('manifest-kind')
  })

  it('refuses what is not there, and what cannot be read', async () => {
    using tree = newTree()
    expect(await refused(() => read(tree, 'nowhere'))).toBe('manifest-missing')
    expect(await refused(() => read(tree, 'manifest.json/below'))).toBe('manifest-missing')
    expect(await refused(() => read(tree, 'x'.repeat(5000)))).toBe('unreadable')
  })

  it('takes 1 MiB and refuses one byte more', async () => {
    using tree = newTree()
    const text = JSON.stringify(good)
    writeFileSync(tree.outside('full'), text.padEnd(1024 * 1024))
    writeFileSync(tree.outside('over'), text.padEnd(1024 * 1024 + 1))
    expect((await read(tree, 'full')).manifest).toEqual(good)
    expect(await refused(() => read(tree, 'over'))).toBe('manifest-size')
  })
})
