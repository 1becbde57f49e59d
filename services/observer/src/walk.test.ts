import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BlindSpots } from './blindness.ts'
import type { RawEntry } from './entry.ts'
import type { Limits } from './limits.ts'
import type { Spot } from './spot.ts'
import { atOnce } from './steps.ts'
import { limitsWith, Tree } from './testing/tree.ts'
import { walk } from './walk.ts'

function walked(
  tree: Tree,
  options: {
    limits?: Partial<Limits>
    visit?: (key: string) => void
    expired?: () => boolean
    stillSinceMs?: number
  } = {},
) {
  using held = tree.hold()
  const blind = new BlindSpots()
  const found = new Map<string, RawEntry>()
  const entries = atOnce(
    walk(held, {
      limits: limitsWith(options.limits ?? {}),
      blind,
      expired: options.expired ?? (() => false),
      ...(options.stillSinceMs === undefined ? {} : { stillSinceMs: options.stillSinceMs }),
      visit: (entry, spot) => {
        found.set(spot.key(), entry)
        options.visit?.(spot.key())
        return undefined
      },
    }),
  )
  return { found, entries, blind }
}

describe('walk', () => {
  it('states every kind of entry and opens none', async () => {
    using tree = new Tree()
    tree.write('dir/file', 'content')
    symlinkSync('dir/file', tree.at('link'))
    execFileSync('mkfifo', [tree.at('pipe')])
    const server = createServer().listen(tree.at('socket'))
    await new Promise((done) => server.once('listening', done))
    const { found, entries, blind } = walked(tree)
    server.close()
    const kinds = Object.fromEntries([...found].map(([key, { type }]) => [key, type]))
    expect(kinds).toEqual({
      '/': 'directory',
      '/dir': 'directory',
      '/dir/file': 'file',
      '/link': 'symlink',
      '/pipe': 'fifo',
      '/socket': 'socket',
    })
    expect(entries).toBe(6)
    expect(found.get('/link')?.target).toBe('dir/file')
    expect(found.get('/dir/file')).toMatchObject({ size: 7, links: 1 })
    expect(blind.list()).toEqual([])
  })

  it('keeps names that are not text, byte for byte', () => {
    using tree = new Tree()
    const name = Buffer.from([0x61, 0xff, 0x0a, 0x25, 0xc3, 0x28])
    writeFileSync(Buffer.concat([Buffer.from(`${tree.root}/`), name]), '')
    expect([...walked(tree).found.keys()]).toContain(`/${name.toString('latin1')}`)
  })

  it('goes deeper than any path that the kernel takes', () => {
    using tree = new Tree()
    tree.deep(60, 'd'.repeat(200))
    const { found, blind } = walked(tree)
    const bottom = [...found.keys()].find((key) => key.endsWith('/bottom'))
    expect(bottom?.length).toBe(60 * 201 + '/bottom'.length)
    expect(blind.list()).toEqual([])
  })

  it('does not follow links out of the tree', () => {
    using tree = new Tree()
    writeFileSync(join(tree.base, 'secret'), '')
    symlinkSync('..', tree.at('up'))
    symlinkSync(tree.base, tree.at('away'))
    expect([...walked(tree).found.keys()]).toEqual(expect.arrayContaining(['/', '/up', '/away']))
    expect(walked(tree).entries).toBe(3)
  })

  it.each([
    ['a link', (tree: Tree) => symlinkSync(tree.dir('outside'), tree.at('swap')), 'unreadable'],
    ['another directory', (tree: Tree) => renameSync(tree.dir('outside'), tree.at('swap')), 'vanished'],
    ['nothing', () => undefined, 'vanished'],
  ])('does not enter a directory that %s has replaced since it was stated', (_, swap, kind) => {
    using tree = new Tree()
    tree.write('swap/inside')
    const { found, blind } = walked(tree, {
      visit: (key) => {
        if (key !== '/swap') return
        renameSync(tree.at('swap'), join(tree.base, 'moved'))
        swap(tree)
      },
    })
    expect([...found.keys()]).toEqual(['/', '/swap'])
    expect(blind.list()).toMatchObject([{ kind, path: '/swap' }])
    expect(blind.mayHide('/swap/inside')).toBe(true)
    expect(blind.mayHide('/other')).toBe(false)
  })

  it.each<[string, Partial<Limits>, string, boolean]>([
    ['entries', { entries: 3 }, 'entries', true],
    ['depth', { depth: 2 }, 'depth', false],
    ['the length of a path', { pathBytes: 6 }, 'depth', false],
    ['names that wait', { pendingBytes: 1 }, 'entries', true],
  ])('says that it ran into the limit of %s', (_, limits, kind, everywhere) => {
    using tree = new Tree()
    mkdirSync(tree.at('aa/bb/cc/dd'), { recursive: true })
    const { blind, found } = walked(tree, { limits })
    expect(blind.list()).toMatchObject([{ kind }])
    expect(found.has('/aa/bb/cc/dd')).toBe(false)
    expect(blind.mayHide('/aa/bb/cc/dd')).toBe(true)
    expect(blind.mayHide('/elsewhere')).toBe(everywhere)
  })

  it('says that a directory lost entries while it looked, though no call failed', () => {
    using tree = new Tree()
    tree.write('a/first', '')
    tree.write('b/gone', '')
    const stillSinceMs = Date.now() + 20
    const remove = (key: string): void => {
      if (key !== '/a/first') return
      while (Date.now() < stillSinceMs + 20);
      rmSync(tree.at('b/gone'))
    }
    const { found, blind } = walked(tree, { visit: remove, stillSinceMs })
    expect(found.has('/b/gone')).toBe(false)
    expect(blind.list()).toMatchObject([{ kind: 'vanished', path: '/b' }])
    expect(blind.mayHide('/b/gone')).toBe(true)
    expect(walked(tree, { stillSinceMs: Date.now() + 1 }).blind.list()).toEqual([])
  })

  it('says that its time was up', () => {
    using tree = new Tree()
    for (let index = 0; index < 1_100; index += 1) tree.write(`f${index}`)
    const { blind, entries } = walked(tree, { expired: () => true })
    expect(blind.list()).toMatchObject([{ kind: 'time' }])
    expect(entries).toBe(1_024)
  })

  it('leaves mount points to their own descriptors', () => {
    using tree = new Tree()
    tree.write('mnt/below')
    using held = tree.hold()
    const found: string[] = []
    const options = { limits: limitsWith({}), blind: new BlindSpots(), expired: () => false }
    const visit = (_: RawEntry, spot: Spot<unknown>): undefined => void found.push(spot.key())
    atOnce(walk({ ...held, points: new Set(['/mnt']) }, { ...options, visit }))
    expect(found).toEqual(['/'])
  })

  it('does not enter a mount that is not held, and says so', () => {
    const blind = new BlindSpots()
    using tree = new Tree()
    tree.write('a')
    using other = tree.hold()
    const mounts = other.mounts.map((mount) => ({ ...mount, id: mount.id + 1, dev: mount.dev + 1 }))
    atOnce(walk({ ...other, mounts }, { limits: limitsWith({}), blind, expired: () => false, visit: () => undefined }))
    expect(blind.list()).toMatchObject([{ kind: 'unreadable', path: '/a' }])
  })

  it('calls a root that has gone lost, not empty', () => {
    const tree = new Tree()
    tree.write('a')
    using held = tree.hold()
    tree[Symbol.dispose]()
    const blind = new BlindSpots()
    atOnce(walk(held, { limits: limitsWith({}), blind, expired: () => false, visit: () => undefined }))
    expect(blind.list()).toMatchObject([{ kind: 'root-lost', path: '/' }])
  })
})
