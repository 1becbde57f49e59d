import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type * as FileSystem from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { Catalogue } from '../catalogue/catalogue.ts'
import { corpusBuilders } from './builders.ts'
import { loadTree } from './load.ts'

/** What a large tree costs: every file is opened once, and its bytes are held once, by the loader and by what is served. */
const opened: string[] = []
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof FileSystem>()
  const open: typeof real.open = async (path, ...rest) => {
    opened.push(String(path))
    return await real.open(path, ...rest)
  }
  return { ...real, open }
})

const mebibyte = 1024 * 1024
const [skills, filesEach, fileBytes] = [20, 150, 4096]
const largeBytes = 16 * mebibyte
const root = mkdtempSync(join(tmpdir(), 'landfall-large-'))
for (let skill = 0; skill < skills; skill += 1) {
  const folder = join(root, `s${skill}`, 'data')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(root, `s${skill}`, 'SKILL.md'), `---\nname: s-${skill}\ndescription: Large.\n---\n`)
  for (let file = 0; file < filesEach; file += 1) {
    writeFileSync(join(folder, `f${file}.txt`), `${skill} ${file}`.padEnd(fileBytes, '.'))
  }
}
writeFileSync(join(root, 's0', 'large.bin'), Buffer.alloc(largeBytes, 1))
afterAll(() => rmSync(root, { recursive: true }))

const total = skills * filesEach * fileBytes + largeBytes

describe('a tree of thousands of files', { timeout: 60_000 }, () => {
  it('is opened once and held once', async () => {
    const tree = await loadTree(root)
    const catalogue = new Catalogue(corpusBuilders(tree, { archives: true }), 'canary')
    const { listed, resources } = await catalogue.unpacked()
    expect(listed).toHaveLength(skills)
    expect(opened).toHaveLength(skills * (filesEach + 1) + 1)
    expect(new Set(opened).size).toBe(opened.length)
    const buffers = [...tree.skills.flatMap(({ files }) => files), ...resources.values()].map(
      ({ bytes }) => bytes.buffer,
    )
    const held = [...new Set(buffers)].reduce((sum, { byteLength }) => sum + byteLength, 0)
    expect(held).toBeGreaterThanOrEqual(total)
    expect(held).toBeLessThan(1.02 * total)
    const served = await catalogue.read('skill://s-0/large.bin')
    expect(served?.bytes).toBe(tree.skills[0]?.files.find(({ path }) => path === 'large.bin')?.bytes)
  })
})
