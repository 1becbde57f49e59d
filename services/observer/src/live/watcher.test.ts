import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import type { LiveObservation } from '@landfall/contracts'
import { deriveToken } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import * as libc from '../libc.ts'
import { Tree } from '../testing/tree.ts'
import { lookAt } from './look.ts'
import type { LiveLimits } from './limits.ts'
import { defaultLiveLimits } from './limits.ts'
import { Watcher } from './watcher.ts'

const token = deriveToken('canary', 'fix', 'site')
const decoyToken = deriveToken('canary', 'decoys', 'key')

/** A watcher in this thread, so that a test decides when it looks. */
class Scene implements Disposable {
  readonly tree = new Tree()
  readonly watcher: Watcher
  now = 0

  constructor(prepare: (tree: Tree) => void = () => undefined, limits: Partial<LiveLimits> = {}) {
    prepare(this.tree)
    this.watcher = new Watcher({
      roots: [{ key: '/', fd: libc.openat(-1, libc.cName(this.tree.root), libc.openHandle | libc.openDirectory) }],
      points: new Set(),
      subject: { tokens: new Map([[token, { fixture: 'fix', site: 'site' }]]), decoys: new Map([[decoyToken, 'key']]) },
      limits: { ...defaultLiveLimits, ...limits },
      elapsedMs: () => (this.now += 0.001),
    })
    this.watcher.start()
  }

  look(): void {
    this.watcher.drain()
  }

  end(): Omit<LiveObservation, 'monotonicNs'> & { paths: string[] } {
    const { live, standing } = this.watcher.finish()
    return { ...live, paths: standing?.paths.toSorted() ?? [] }
  }

  [Symbol.dispose](): void {
    this.watcher[Symbol.dispose]()
    this.tree[Symbol.dispose]()
  }
}

const told = ({ events }: Pick<LiveObservation, 'events'>): string[] =>
  events.map(({ kind, path, from }) => (from === undefined ? `${kind} ${path}` : `${kind} ${from} ${path}`))
const lost = ({ losses }: Pick<LiveObservation, 'losses'>): string[] =>
  losses.map(({ kind, path }) => (path === undefined ? kind : `${kind} ${path}`))

describe('a watcher', () => {
  it('finds by looking what was in a new directory before it could be watched, and tells it once', () => {
    using scene = new Scene()
    scene.tree.write('a/b/c/d', 'x')
    scene.look()
    scene.tree.write('a/b/c/e', 'x')
    const seen = scene.end()
    expect(told(seen)).toEqual([
      'created /a',
      'created /a/b',
      'created /a/b/c',
      'created /a/b/c/d',
      'created /a/b/c/e',
      'written /a/b/c/e',
    ])
    expect(seen.events.map(({ found }) => found)).toEqual(['event', 'scan', 'scan', 'scan', 'event', 'event'])
    expect(seen.paths).toEqual(['/a', '/a/b', '/a/b/c', '/a/b/c/d', '/a/b/c/e'])
    expect(lost(seen)).toEqual([])
  })

  it('says that a directory came and went before it could be watched', () => {
    using scene = new Scene()
    scene.tree.write('gone/file')
    rmSync(scene.tree.at('gone'), { recursive: true })
    const seen = scene.end()
    expect(seen.transient.map(({ path }) => path)).toEqual(['/gone'])
    expect(lost(seen)).toEqual(['late /gone'])
  })

  it('says so too of a directory whose name another one has now', () => {
    using scene = new Scene()
    scene.tree.write('d/first')
    rmSync(scene.tree.at('d'), { recursive: true })
    scene.tree.write('d/second')
    const seen = scene.end()
    expect(seen.paths).toEqual(['/d', '/d/second'])
    expect(lost(seen)).toEqual(['late /d'])
  })

  it('says so of a directory in which something was deleted before it could be watched', async () => {
    using scene = new Scene()
    scene.tree.write('d/x')
    await new Promise((done) => setTimeout(done, 40))
    rmSync(scene.tree.at('d/x'))
    expect(lost(scene.end())).toEqual(['late /d'])
  })

  it('follows a directory that is renamed, however far it has come by then', () => {
    using scene = new Scene((tree) => tree.write('old/inner/x'))
    renameSync(scene.tree.at('old'), scene.tree.at('new'))
    scene.tree.write('new/inner/y')
    scene.look()
    mkdirSync(scene.tree.at('n1'))
    renameSync(scene.tree.at('n1'), scene.tree.at('n2'))
    scene.look()
    scene.tree.write('n2/z')
    const seen = scene.end()
    expect(told(seen)).toEqual([
      'renamed /old /new',
      'created /new/inner/y',
      'created /n1',
      'renamed /n1 /n2',
      'created /n2/z',
    ])
    expect(seen.paths).toEqual(['/n2', '/n2/z', '/new', '/new/inner/y'])
    expect(lost(seen)).toEqual([])
  })

  it('keeps apart two directories that exchange their places', () => {
    using scene = new Scene((tree) => [tree.write('a/in-a'), tree.write('b/in-b')])
    // In three steps, as a program without renameat2 does it.
    renameSync(scene.tree.at('a'), scene.tree.at('t'))
    renameSync(scene.tree.at('b'), scene.tree.at('a'))
    renameSync(scene.tree.at('t'), scene.tree.at('b'))
    scene.look()
    scene.tree.write('a/x')
    scene.tree.write('b/y')
    expect(scene.end().paths).toEqual(['/a', '/a/x', '/b', '/b/y'])
  })

  it('is not led out of the tree by a link in place of a directory', () => {
    using scene = new Scene()
    mkdirSync(scene.tree.at('d'))
    rmSync(scene.tree.at('d'), { recursive: true })
    scene.tree.dir('outside')
    symlinkSync('../outside', scene.tree.at('d'))
    scene.look()
    closeSync(openSync(`${scene.tree.base}/outside/x`, 'w'))
    const seen = scene.end()
    expect(told(seen)).toEqual(['created /d', 'deleted /d', 'created /d'])
    expect(seen.counts.watches).toBe(1)
  })

  it('reads what a deleted or replaced file held, and what names and links said that are gone', () => {
    using scene = new Scene()
    scene.tree.write('content', `..${token}`)
    scene.tree.write('replaced', decoyToken)
    scene.tree.write(`name-${token}`)
    symlinkSync(`/x/${token}`, scene.tree.at('target'))
    scene.look()
    for (const name of ['content', `name-${token}`, 'target']) rmSync(scene.tree.at(name))
    scene.tree.write('new', 'new')
    renameSync(scene.tree.at('new'), scene.tree.at('replaced'))
    const seen = scene.end()
    const site = { fixture: 'fix', site: 'site' }
    expect(seen.transientSightings).toEqual([
      { ...site, path: '/content', place: 'content' },
      { ...site, path: `/name-${token}`, place: 'name' },
      { ...site, path: '/target', place: 'target' },
    ])
    expect(seen.transientCopies).toEqual([{ decoy: 'key', path: '/replaced' }])
    expect(seen.paths).toEqual(['/replaced'])
  })

  it('says that the queue overflowed, and knows what is there afterwards', () => {
    using scene = new Scene((tree) => [tree.write('a'), tree.write('b')])
    const files = ['a', 'b'].map((name) => openSync(scene.tree.at(name), 'w'))
    const queue = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'))
    for (let index = 0; index <= queue; index += 1) writeSync(files[index % 2] ?? 0, 'x')
    mkdirSync(scene.tree.at('unheard'))
    scene.look()
    scene.tree.write('unheard/x')
    for (const file of files) closeSync(file)
    const seen = scene.end()
    expect(lost(seen)).toEqual(['overflow'])
    expect(seen.paths).toEqual(['/unheard/x'])
  })

  it('says that it did not run, and how long', () => {
    using scene = new Scene()
    scene.now += 6_000
    const seen = scene.end()
    expect(lost(seen)).toEqual(['gap'])
    expect(seen.largestGapMs).toBeGreaterThan(5_999)
  })

  it('says that not every directory is watched', () => {
    using scene = new Scene(undefined, { watches: 2 })
    scene.tree.write('a/b/c/x')
    expect(lost(scene.end())).toEqual(['watch-limit /a/b'])
  })

  it('lists no more than it may, and counts all', () => {
    using scene = new Scene(undefined, { events: 3, transient: 2 })
    for (let index = 0; index < 10; index += 1) rmSync(scene.tree.write(`f${index}`))
    const seen = scene.end()
    expect([seen.events.length, seen.transient.length]).toEqual([3, 2])
    expect(seen.counts).toMatchObject({ byKind: { created: 10, deleted: 10 }, transient: 10, unlisted: 17 })
  })
})

describe('watched decoys', () => {
  const decoyScene = (): Scene => {
    const scene = new Scene((tree) => tree.write('decoy', decoyToken))
    const inode = lookAt(-1, libc.cName(scene.tree.at('decoy')))
    if (inode === undefined) throw new Error('no decoy')
    scene.watcher.arm([{ name: 'key', key: '/decoy', inode }])
    return scene
  }

  it('tell reads through any name, and a mere opening apart', () => {
    using scene = decoyScene()
    closeSync(openSync(scene.tree.at('decoy'), 'r'))
    expect(scene.end().decoyReads).toMatchObject([{ decoy: 'key', by: 'open', count: 1 }])
    using read = decoyScene()
    linkSync(read.tree.at('decoy'), read.tree.at('hard'))
    readFileSync(read.tree.at('hard'))
    expect(read.end().decoyReads).toMatchObject([{ decoy: 'key', path: '/decoy', by: 'read', count: 1 }])
  })

  it('do not take writing for reading', () => {
    using scene = decoyScene()
    closeSync(openSync(scene.tree.at('decoy'), 'a'))
    expect(scene.end().decoyReads).toEqual([])
  })

  it.each([
    [true, 0],
    [false, 1],
  ])("leave out the observer's own reads (a decoy was among them: %s)", (readDecoys, count) => {
    using scene = decoyScene()
    scene.watcher.own(true)
    readFileSync(scene.tree.at('decoy'))
    scene.watcher.own(false, readDecoys)
    expect(scene.end().decoyReads).toHaveLength(count)
  })

  it('count what was read before the observer read', () => {
    using scene = decoyScene()
    readFileSync(scene.tree.at('decoy'))
    scene.watcher.own(true)
    readFileSync(scene.tree.at('decoy'))
    scene.watcher.own(false, true)
    expect(scene.end().decoyReads).toMatchObject([{ by: 'read', count: 1 }])
  })
})
