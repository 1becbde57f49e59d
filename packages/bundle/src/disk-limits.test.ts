import { mkdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readBundle } from './index.ts'
import { refused } from './testing/refused.ts'
import { Tree } from './testing/tree.ts'

const mebibyte = 1024 * 1024

/** A file of that size without the time to write one. */
const sized = (tree: Tree, path: string, bytes: number) => {
  tree.write(path)
  truncateSync(tree.at(path), bytes)
}
const filesIn = async (tree: Tree) => (await readBundle(tree.root)).manifest.files.length
const refusedIn = (tree: Tree) => refused(() => readBundle(tree.root))

describe('limits on the disk, at the limit and one above', { timeout: 30_000 }, () => {
  it('512 files', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    for (let index = 1; index < 512; index += 1) tree.write(`d${index % 9}/f${index}`)
    expect(await filesIn(tree)).toBe(512)
    tree.write('one-more')
    expect(await refusedIn(tree)).toBe('too-many-files')
  })

  it('1,024 entries, the root included', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    for (let index = 1; index < 1023; index += 1) mkdirSync(tree.at(`d${index}`))
    expect(await filesIn(tree)).toBe(1)
    mkdirSync(tree.at('one-more'))
    expect(await refusedIn(tree)).toBe('too-many-entries')
  })

  it('12 path levels, of directories too', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    const deepest = join(...Array<string>(11).fill('d'))
    tree.write(join(deepest, 'file'))
    mkdirSync(tree.at(join(deepest, 'empty')))
    expect(await filesIn(tree)).toBe(2)
    mkdirSync(tree.at(join(deepest, 'empty', 'deeper')))
    expect(await refusedIn(tree)).toBe('path-depth')
  })

  it('1,024 bytes of path', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    const folder = Array<string>(4).fill('é'.repeat(100)).join('/')
    tree.write(`${folder}/${'x'.repeat(220)}`)
    expect(await filesIn(tree)).toBe(2)
    tree.write(`${folder}/${'x'.repeat(221)}`)
    expect(await refusedIn(tree)).toBe('path-length')
  })

  it('128 KiB of SKILL.md', async () => {
    using tree = new Tree()
    sized(tree, 'inner/SKILL.md', 128 * 1024 + 1)
    sized(tree, 'SKILL.md', 128 * 1024)
    expect(await filesIn(tree)).toBe(2)
    sized(tree, 'SKILL.md', 128 * 1024 + 1)
    expect(await refusedIn(tree)).toBe('skill-md-size')
  })

  it('16 MiB of any other file', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    sized(tree, 'large', 16 * mebibyte)
    expect(await filesIn(tree)).toBe(2)
    sized(tree, 'large', 16 * mebibyte + 1)
    expect(await refusedIn(tree)).toBe('file-size')
  })

  it('32 MiB altogether', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    sized(tree, 'a', 16 * mebibyte)
    sized(tree, 'b', 16 * mebibyte)
    expect((await readBundle(tree.root)).manifest.total_bytes).toBe(32 * mebibyte)
    tree.write('SKILL.md', 'x')
    expect(await refusedIn(tree)).toBe('total-size')
  })
})
