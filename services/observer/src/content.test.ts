import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { deriveToken } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { BlindSpots } from './blindness.ts'
import type { Content, ContentBudget } from './content.ts'
import { readContent } from './content.ts'
import type { RawEntry } from './entry.ts'
import { statAt } from './entry.ts'
import { cName } from './libc.ts'
import type { Limits } from './limits.ts'
import { limitsWith, Tree } from './testing/tree.ts'

const token = deriveToken('canary', 'fixture', 'site')
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

function budgetWith(some: Partial<Limits> = {}): ContentBudget {
  const limits = limitsWith(some)
  const left = limits.contentBytes
  return { limits, blind: new BlindSpots(), expired: () => false, known: new Set([token]), left, zerosLeft: left }
}

/** Reads `f` of the tree's root; `between` happens after it was stated and before it is opened. */
function read(
  tree: Tree,
  budget: ContentBudget,
  between: (entry: RawEntry) => void = () => undefined,
): Content | undefined {
  const dir = openSync(tree.root, 'r')
  try {
    const stat = statAt(dir, cName('f'))
    if (stat === undefined) throw new Error('no file')
    between(stat.entry)
    return readContent(() => '/f', stat.entry, { dir, bytes: cName('f') }, budget)
  } finally {
    closeSync(dir)
  }
}

describe('readContent', () => {
  it.each([0, 1, 35, 1024 * 1024 - 10, 1024 * 1024, 3 * 1024 * 1024 + 7])(
    'reads a file of %i bytes before its token',
    (size) => {
      using tree = new Tree()
      const bytes = Buffer.concat([Buffer.alloc(size, 'x'), Buffer.from(token)])
      tree.write('f', bytes)
      const budget = budgetWith()
      expect(read(tree, budget)).toEqual({ sha256: sha256(bytes), tokens: new Map([[token, size]]) })
      expect(budget.blind.list()).toEqual([])
      expect(budget.limits.contentBytes - budget.left).toBe(bytes.length)
    },
  )

  it('digests a small sparse file as if its holes were written', () => {
    using tree = new Tree()
    const fd = openSync(tree.at('f'), 'w')
    writeSync(fd, token, 5_000_000)
    ftruncateSync(fd, 9_000_000)
    closeSync(fd)
    const bytes = Buffer.alloc(9_000_000)
    bytes.write(token, 5_000_000)
    expect(read(tree, budgetWith())).toEqual({ sha256: sha256(bytes), tokens: new Map([[token, 5_000_000]]) })
  })

  it('finds the token in a sparse file of a tebibyte, and does not read the tebibyte', () => {
    using tree = new Tree()
    const fd = openSync(tree.at('f'), 'w')
    const at = 2 ** 39
    writeSync(fd, token, at)
    ftruncateSync(fd, 2 ** 40)
    closeSync(fd)
    const budget = budgetWith()
    expect(read(tree, budget)).toEqual({ tokens: new Map([[token, at]]) })
    expect(budget.limits.contentBytes - budget.left).toBeLessThan(100_000)
    expect(budget.blind.list()).toEqual([])
  })

  it.each<[string, Partial<Limits>]>([
    ['of one file', { fileBytes: 1_000 }],
    ['of the observation', { contentBytes: 1_000 }],
  ])('says how far it came when it ran into the limit %s', (_, limits) => {
    using tree = new Tree()
    tree.write('f', Buffer.concat([Buffer.from(token), Buffer.alloc(2_000, 'x')]))
    const budget = budgetWith(limits)
    expect(read(tree, budget)).toEqual({ tokens: new Map([[token, 0]]) })
    expect(budget.blind.list()).toEqual([
      { kind: 'bytes', path: '/f', detail: 'only the first 1000 of 2036 bytes were searched' },
    ])
  })

  it.each<[string, (tree: Tree) => void]>([
    ['a FIFO', (tree) => execFileSync('mkfifo', [tree.at('f')])],
    ['a link', (tree) => symlinkSync(`${tree.base}/secret`, tree.at('f'))],
    ['another file', (tree) => writeFileSync(tree.at('f'), token)],
    ['nothing', () => undefined],
  ])('neither hangs nor reads when %s takes the place of the file', (_, put) => {
    using tree = new Tree()
    writeFileSync(`${tree.base}/secret`, token)
    tree.write('f', 'honest')
    // Kept open, so that its inode number is not given to the next file.
    const keep = openSync(tree.at('f'), 'r')
    const budget = budgetWith()
    const content = read(tree, budget, () => {
      rmSync(tree.at('f'))
      put(tree)
    })
    closeSync(keep)
    expect(content).toBeUndefined()
    expect(budget.blind.list()).toHaveLength(1)
  })

  it('stops when its time is up', () => {
    using tree = new Tree()
    tree.write('f', token)
    const budget = { ...budgetWith(), expired: () => true }
    expect(read(tree, budget)?.sha256).toBeUndefined()
    expect(budget.blind.list()).toMatchObject([{ kind: 'time', path: '/f' }])
  })
})
