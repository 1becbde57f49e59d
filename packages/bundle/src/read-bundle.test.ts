import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readBundle } from './index.ts'
import { refused } from './testing/refused.ts'
import { Tree } from './testing/tree.ts'
import { filesOf, vectors } from './testing/vectors.ts'

const refusedIn = (tree: Tree) => refused(() => readBundle(tree.root))

describe.each(vectors)('vector $id', (vector) => {
  it('has its manifest from the disk, and keeps it when the directory moves', async () => {
    using tree = new Tree(filesOf(vector))
    expect((await readBundle(tree.root)).manifest).toEqual(vector.expected)
    renameSync(tree.root, tree.outside('moved'))
    expect((await readBundle(tree.outside('moved'))).manifest).toEqual(vector.expected)
  })
})

describe('readBundle', () => {
  it('returns the bytes of SKILL.md that it hashed', async () => {
    using tree = new Tree({ 'SKILL.md': '\uFEFF# Text\n', 'inner/SKILL.md': 'another' })
    const { skillMarkdown, manifest } = await readBundle(tree.root)
    expect(skillMarkdown.toString('utf8')).toBe('\uFEFF# Text\n')
    expect(manifest.files[0]).toMatchObject({ path: 'SKILL.md', bytes: skillMarkdown.length })
  })

  it('may be given a link to the directory', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    symlinkSync(tree.root, tree.outside('link'))
    expect((await readBundle(tree.outside('link'))).root).toBe((await readBundle(tree.root)).root)
  })

  it('sees neither modes, nor times, nor empty directories', async () => {
    using tree = new Tree({ 'SKILL.md': '', 'run.sh': 'x' })
    const before = await readBundle(tree.root)
    mkdirSync(tree.at('empty/deeper'), { recursive: true })
    execFileSync('chmod', ['755', tree.at('run.sh')])
    execFileSync('touch', ['-d', '2001-01-01', tree.at('SKILL.md')])
    expect((await readBundle(tree.root)).manifest).toEqual(before.manifest)
  })

  it('needs no PATH and no Git', () => {
    using tree = new Tree({ 'SKILL.md': '', '.git/config': 'x', '.gitignore': '*' })
    const index = JSON.stringify(fileURLToPath(new URL('./index.ts', import.meta.url)))
    const script = `const { readBundle } = await import(${index}); process.stdout.write(JSON.stringify((await readBundle(${JSON.stringify(tree.root)})).manifest))`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: {}, encoding: 'utf8' })
    expect(JSON.parse(output)).toMatchObject({
      files: [{ path: '.git/config' }, { path: '.gitignore' }, { path: 'SKILL.md' }],
    })
  })
})

describe('entries that no bundle may hold', () => {
  it.each([
    ['to a file', 'SKILL.md'],
    ['to a directory outside', '..'],
    ['to nothing', 'nowhere'],
    ['to itself', 'refs/link'],
  ])('a link %s', async (_what, target) => {
    using tree = new Tree({ 'SKILL.md': '', 'refs/a': '' })
    symlinkSync(target, tree.at('refs/link'))
    expect(await refusedIn(tree)).toBe('link')
  })

  it('SKILL.md as a link', async () => {
    using tree = new Tree({ 'README.md': '' })
    symlinkSync('README.md', tree.at('SKILL.md'))
    expect(await refusedIn(tree)).toBe('link')
  })

  it('a FIFO, without waiting for a writer', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    execFileSync('mkfifo', [tree.at('pipe')])
    expect(await refusedIn(tree)).toBe('entry-kind')
  })

  it('a socket', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    const server = createServer().listen(tree.at('socket'))
    await once(server, 'listening')
    try {
      expect(await refusedIn(tree)).toBe('entry-kind')
    } finally {
      server.close()
    }
  })

  it('a name that is not UTF-8', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    writeFileSync(Buffer.concat([Buffer.from(tree.at('bad-')), Buffer.from([0xff])]), '')
    expect(await refusedIn(tree)).toBe('path-character')
  })

  it('a name that another system would split', async () => {
    using tree = new Tree({ 'SKILL.md': '', 'dir\\name/file': '' })
    expect(await refusedIn(tree)).toBe('path-character')
  })

  it('the file that its manifest comes from, under whatever name', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    writeFileSync(tree.outside('manifest.json'), '{}')
    linkSync(tree.outside('manifest.json'), tree.at('innocent'))
    const outside = [statSync(tree.outside('manifest.json'), { bigint: true })]
    expect(await refused(() => readBundle(tree.root, { outside }))).toBe('manifest-inside')
  })
})

describe('what is no skill directory', () => {
  it('something without SKILL.md at its root', async () => {
    using tree = new Tree({ 'skill.md': '', 'inner/SKILL.md': '' })
    expect(await refusedIn(tree)).toBe('no-skill-md')
    mkdirSync(tree.at('SKILL.md'))
    expect(await refusedIn(tree)).toBe('no-skill-md')
  })

  it('one without any file', async () => {
    using tree = new Tree()
    mkdirSync(tree.at('empty'))
    expect(await refusedIn(tree)).toBe('no-files')
  })

  it('one whose SKILL.md is not UTF-8', async () => {
    using tree = new Tree({ 'SKILL.md': Buffer.from([0x23, 0xc3]) })
    expect(await refusedIn(tree)).toBe('skill-md-encoding')
  })

  it('nothing, a file, a name that cannot be', async () => {
    using tree = new Tree({ 'SKILL.md': '' })
    expect(await refused(() => readBundle(tree.at('nowhere')))).toBe('root-missing')
    expect(await refused(() => readBundle(''))).toBe('root-missing')
    expect(await refused(() => readBundle(tree.at('SKILL.md')))).toBe('root-kind')
    expect(await refused(() => readBundle('x'.repeat(5000)))).toBe('unreadable')
  })
})
