import { chmod, mkdir, mkdtempDisposable, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashBuildInputs, type Build } from './build-inputs.ts'

async function checkout() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'landfall-inputs-'))
  const put = async (path: string, text: string) => {
    await mkdir(join(folder.path, path, '..'), { recursive: true })
    await writeFile(join(folder.path, path), text)
  }
  await put('Dockerfile', 'FROM scratch\n')
  await put('.dockerignore', '*\n!src\n**/*.test.ts\n')
  await put('src/a.ts', 'a')
  const build: Build = {
    context: folder.path,
    dockerfile: 'Dockerfile',
    args: { NODE_IMAGE: 'node' },
    target: undefined,
  }
  const hash = (changes: Partial<Build> = {}, base = 'sha256:1') => hashBuildInputs({ ...build, ...changes }, base)
  return { path: folder.path, put, hash, [Symbol.asyncDispose]: () => folder.remove() }
}

describe('hashBuildInputs', () => {
  it('is the same in another checkout', async () => {
    await using one = await checkout()
    await using two = await checkout()
    expect(await one.hash()).toBe(await two.hash())
  })

  it('does not change with what the build never sees', async () => {
    await using tree = await checkout()
    const before = await tree.hash()
    await tree.put('README.md', 'text')
    await tree.put('src/a.test.ts', 'test')
    await tree.put('src/node_modules/x/index.js', 'x')
    expect(await tree.hash()).toBe(before)
  })

  it('changes with content, name, mode and absence of a file', async () => {
    await using tree = await checkout()
    const hashes = [await tree.hash()]
    await tree.put('src/a.ts', 'b')
    hashes.push(await tree.hash())
    await tree.put('src/deep/b.ts', 'b')
    hashes.push(await tree.hash())
    await chmod(join(tree.path, 'src/a.ts'), 0o755)
    hashes.push(await tree.hash())
    await rm(join(tree.path, 'src/a.ts'))
    hashes.push(await tree.hash())
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('changes with the Dockerfile, its arguments, its target and the base image', async () => {
    await using tree = await checkout()
    const hashes = [await tree.hash(), await tree.hash({}, 'sha256:2'), await tree.hash({ target: 'test' })]
    hashes.push(await tree.hash({ args: { NODE_IMAGE: 'other' } }))
    await tree.put('Dockerfile', 'FROM scratch\nUSER 1000\n')
    hashes.push(await tree.hash())
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('names a Dockerfile that is not there', async () => {
    await using tree = await checkout()
    await expect(tree.hash({ dockerfile: 'no/Dockerfile' })).rejects.toThrow(/no\/Dockerfile/)
  })
})
