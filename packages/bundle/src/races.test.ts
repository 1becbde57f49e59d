import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hashFile } from './hash-file.ts'
import { identityOf } from './identity.ts'
import type { ReadBundle, Step } from './index.ts'
import { readBundle, sha256 } from './index.ts'
import { refused } from './testing/refused.ts'
import { Tree } from './testing/tree.ts'

/** A tree whose directory `refs` can be swapped for a link to another one that looks the same. */
const files = { 'SKILL.md': '# Skill\n', 'refs/a.txt': 'inside', 'refs/sub/b.txt': 'inside' }

const newTree = () => {
  const tree = new Tree(files)
  execFileSync('cp', ['-r', tree.at('refs'), tree.outside('other')])
  writeFileSync(tree.outside('other/a.txt'), 'secret')
  return tree
}

const swapOut = (tree: Tree, path: string, target: string) => {
  renameSync(tree.at(path), tree.outside('held'))
  symlinkSync(tree.outside(target), tree.at(path))
}
const swapBack = (tree: Tree, path: string) => {
  rmSync(tree.at(path))
  renameSync(tree.outside('held'), tree.at(path))
}

/** Reads the tree and does `act` in exactly one moment. */
const readWhile = async (tree: Tree, moments: Readonly<Record<string, () => void>>): Promise<ReadBundle> => {
  const left = new Map(Object.entries(moments))
  return await readBundle(tree.root, {
    onStep: (step: Step, path: string) => {
      const key = `${step} ${path}`
      const act = left.get(key)
      left.delete(key)
      act?.()
    },
  }).finally(() => expect([...left.keys()]).toEqual([]))
}

describe('a directory swapped for a link', () => {
  it.each(['list refs', 'list refs/sub', 'read refs/a.txt', 'check-read refs/a.txt', 'read SKILL.md', 'verify '])(
    'before: %s',
    async (moment) => {
      using tree = newTree()
      expect(await refused(() => readWhile(tree, { [moment]: () => swapOut(tree, 'refs', 'other') }))).toBe('changed')
    },
  )

  it('and back again before anybody looks twice', async () => {
    using tree = newTree()
    const read = readWhile(tree, {
      'read refs/a.txt': () => swapOut(tree, 'refs', 'other'),
      'check-read refs/a.txt': () => swapBack(tree, 'refs'),
    })
    expect(await refused(() => read)).toBe('changed')
  })

  it('the root itself', async () => {
    using tree = newTree()
    const act = () => {
      renameSync(tree.root, tree.outside('held'))
      symlinkSync(tree.outside('held'), tree.root)
    }
    expect(await refused(() => readWhile(tree, { 'list ': act }))).toBe('changed')
    using other = newTree()
    const late = () => {
      renameSync(other.root, other.outside('held'))
      symlinkSync(other.outside('held'), other.root)
    }
    expect(await refused(() => readWhile(other, { 'verify ': late }))).toBe('changed')
  })
})

describe('a file that changes', () => {
  const rewriteUnnoticed = (path: string) => {
    const { atime, mtime } = statSync(path)
    writeFileSync(path, 'edited')
    utimesSync(path, atime, mtime)
  }
  const acts: Readonly<Record<string, (tree: Tree, path: string) => void>> = {
    'is written anew with the same size and time': (tree, path) => rewriteUnnoticed(tree.at(path)),
    grows: (tree, path) => appendFileSync(tree.at(path), 'more'),
    shrinks: (tree, path) => truncateSync(tree.at(path), 1),
    'loses a right': (tree, path) => chmodSync(tree.at(path), 0o600),
    'is removed': (tree, path) => rmSync(tree.at(path)),
    'becomes a link': (tree, path) => swapOut(tree, path, 'other/a.txt'),
    'becomes a FIFO': (tree, path) => {
      rmSync(tree.at(path))
      execFileSync('mkfifo', [tree.at(path)])
    },
    'becomes a directory': (tree, path) => {
      rmSync(tree.at(path))
      tree.write(`${path}/child`)
    },
    'is replaced by a twin': (tree, path) => {
      writeFileSync(tree.outside('twin'), 'inside')
      renameSync(tree.outside('twin'), tree.at(path))
    },
    'gets a sibling': (tree, path) => tree.write(`${path}-sibling`),
  }
  const moments = ['list refs/sub', 'read refs/a.txt', 'check-read refs/a.txt', 'read refs/sub/b.txt', 'verify ']

  it.each(Object.keys(acts).flatMap((what) => moments.map((moment) => [what, moment] as const)))(
    '%s before: %s',
    async (what, moment) => {
      using tree = newTree()
      const act = () => acts[what]?.(tree, 'refs/a.txt')
      expect(await refused(() => readWhile(tree, { [moment]: act }))).toBe('changed')
    },
  )
})

const mebibyte = 1024 * 1024

describe('hashFile', () => {
  const planned = (path: string) => ({ name: path, path, identity: identityOf(lstatSync(path, { bigint: true })) })

  it('stops at the first byte over the size that was seen', async () => {
    // Files of /proc have no size and give content all the same.
    expect(await refused(() => hashFile(planned('/proc/version'), '/proc/version', false, () => {}))).toBe('grew')
  })

  it.each([0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte])('hashes a file of %i bytes', (size) => {
    const content = Buffer.alloc(size, 'abc')
    using tree = new Tree({ file: content })
    const hashed = hashFile(planned(tree.at('file')), tree.at('file'), true, () => {})
    expect(hashed.sha256).toBe(sha256(content))
    expect(hashed.content?.equals(content) ?? size >= mebibyte).toBe(true)
  })
})

it('leaves no descriptor open, whatever happened', async () => {
  const open = () => readdirSync('/proc/self/fd').length
  using tree = newTree()
  await readBundle(tree.root)
  const before = open()
  for (const moment of ['list refs/sub', 'read refs/a.txt', 'check-read refs/sub/b.txt']) {
    const fail = () => {
      throw new Error('stopped')
    }
    await expect(readWhile(tree, { [moment]: fail })).rejects.toThrow('stopped')
  }
  expect(open()).toBe(before)
})
