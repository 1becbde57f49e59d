import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadTree } from './load.ts'
import { maxFileBytes } from './read-file.ts'

const markdown = (name: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\n# ${name}\n`

/** A tree of skills in a folder of its own, gone at the end of the test. */
function tree(files: Readonly<Record<string, string | Buffer>>): { root: string } & Disposable {
  const root = mkdtempSync(join(tmpdir(), 'landfall-tree-'))
  for (const [path, content] of Object.entries(files)) put(root, path, content)
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

function put(root: string, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

const noticesOf = async (root: string) => (await loadTree(root)).notices.map(({ kind, path }) => `${kind} ${path}`)
const pathsIn = async (root: string) =>
  Object.fromEntries((await loadTree(root)).skills.map(({ path, files }) => [path, files.map((file) => file.path)]))

describe('loadTree', () => {
  it('goes by the name, not by the folder, and puts SKILL.md first', async () => {
    using made = tree({ 'folder/SKILL.md': markdown('other'), 'folder/A.md': '', 'folder/scripts/x.sh': '#!/bin/sh\n' })
    expect(await pathsIn(made.root)).toEqual({ other: ['SKILL.md', 'A.md', 'scripts/x.sh'] })
    expect(await noticesOf(made.root)).toEqual([])
  })

  it('puts the folder in front of names that are there twice', async () => {
    using made = tree({ 'a/SKILL.md': markdown('same'), 'b/SKILL.md': markdown('same'), 'c/SKILL.md': markdown('c') })
    expect(Object.keys(await pathsIn(made.root))).toEqual(['a/same', 'b/same', 'c'])
  })

  it('never follows a link to a file, a folder or a skill, and says so', async () => {
    using secret = tree({ 'key.txt': 'secret', 'SKILL.md': markdown('secret') })
    using made = tree({ 'a/SKILL.md': markdown('a') })
    symlinkSync(join(secret.root, 'key.txt'), join(made.root, 'a/key.txt'))
    symlinkSync(secret.root, join(made.root, 'a/folder'))
    symlinkSync(secret.root, join(made.root, 'b'))
    mkdirSync(join(made.root, 'c'))
    symlinkSync(join(secret.root, 'SKILL.md'), join(made.root, 'c/SKILL.md'))
    expect(await pathsIn(made.root)).toEqual({ a: ['SKILL.md'] })
    expect((await noticesOf(made.root)).toSorted()).toEqual(
      ['link a/folder', 'link a/key.txt', 'link b', 'link c/SKILL.md'].toSorted(),
    )
  })

  it('opens nothing but regular files', { timeout: 5_000 }, async () => {
    using made = tree({ 'a/SKILL.md': markdown('a') })
    execFileSync('mkfifo', [join(made.root, 'a/pipe')])
    expect(await pathsIn(made.root)).toEqual({ a: ['SKILL.md'] })
    expect(await noticesOf(made.root)).toEqual(['special a/pipe'])
  })

  it('leaves out a skill with bad frontmatter, says why, and serves the others', async () => {
    using made = tree({ 'bad/SKILL.md': '# no frontmatter\n', 'bad/x.txt': '', 'good/SKILL.md': markdown('good') })
    const { skills, notices } = await loadTree(made.root)
    expect(skills.map(({ path }) => path)).toEqual(['good'])
    expect(notices).toEqual([
      { kind: 'invalid', path: 'bad/SKILL.md', detail: 'SKILL.md does not begin with frontmatter' },
    ])
  })

  it('never serves an EXPLANATION.md, at whatever depth', async () => {
    using made = tree({ 'a/SKILL.md': markdown('a'), 'a/EXPLANATION.md': 'x', 'a/deep/EXPLANATION.md': 'x' })
    expect(await pathsIn(made.root)).toEqual({ a: ['SKILL.md'] })
  })

  it('gives the files of a skill inside another one to the inner skill alone', async () => {
    using made = tree({ 'a/SKILL.md': markdown('outer'), 'a/b/SKILL.md': markdown('inner'), 'a/b/x': '', 'a/y': '' })
    expect(await pathsIn(made.root)).toEqual({ outer: ['SKILL.md', 'y'], 'outer/inner': ['SKILL.md', 'x'] })
  })

  it('takes a SKILL.md that is none for a file of the skill around it', async () => {
    using made = tree({ 'a/SKILL.md': markdown('a'), 'a/template/SKILL.md': '{{ to be written }}' })
    expect(await pathsIn(made.root)).toEqual({ a: ['SKILL.md', 'template/SKILL.md'] })
  })

  it('takes a root that is itself a skill, without its history', async () => {
    using made = tree({ 'SKILL.md': markdown('root'), 'x/y.txt': '', '.git/config': '', '.claude/settings.json': '{}' })
    expect(await pathsIn(made.root)).toEqual({ root: ['SKILL.md', '.claude/settings.json', 'x/y.txt'] })
  })

  it('keeps the executable bit and nothing else of a mode', async () => {
    using made = tree({ 'a/SKILL.md': markdown('a'), 'a/run.sh': '' })
    chmodSync(join(made.root, 'a/run.sh'), 0o4711)
    chmodSync(join(made.root, 'a/SKILL.md'), 0o600)
    expect((await loadTree(made.root)).skills[0]?.files.map(({ mode }) => mode)).toEqual([0o644, 0o755])
  })

  it('keeps equal files once', async () => {
    using made = tree({ 'a/SKILL.md': markdown('a'), 'a/1': 'same', 'a/2': 'same', 'a/3': 'other' })
    const [, one, two, three] = (await loadTree(made.root)).skills[0]?.files ?? []
    expect(one?.bytes).toBe(two?.bytes)
    expect(three?.bytes).not.toBe(one?.bytes)
  })

  it('takes names as they come: spaces, percent signs, backslashes, other scripts', async () => {
    const names = ['a b%2e.txt', 'back\\slash.txt', 'nul\u0001.txt', 'ünï.txt']
    using made = tree({ 'a/SKILL.md': markdown('a'), ...Object.fromEntries(names.map((name) => [`a/${name}`, 'x'])) })
    expect((await pathsIn(made.root))['a']?.toSorted()).toEqual(['SKILL.md', ...names].toSorted())
  })

  it('leaves out a file beyond the limit without reading it', async () => {
    using made = tree({ 'a/SKILL.md': markdown('a'), 'a/huge.bin': '' })
    execFileSync('truncate', ['-s', String(maxFileBytes + 1), join(made.root, 'a/huge.bin')])
    expect(await pathsIn(made.root)).toEqual({ a: ['SKILL.md'] })
    expect(await noticesOf(made.root)).toEqual(['too-large a/huge.bin'])
  })

  it('says which root cannot be read', async () => {
    await expect(loadTree('/nonexistent/skills')).rejects.toMatchObject({
      code: 'usage',
      message: 'Skills cannot be read (ENOENT): /nonexistent/skills',
    })
  })
})
