import { createHash } from 'node:crypto'
import { closeSync, mkdtempDisposableSync, openSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BlindSpots } from '../blindness.ts'
import { readContent } from '../content.ts'
import { statAt } from '../entry.ts'
import { cName } from '../libc.ts'
import { limitsWith, Tree } from '../testing/tree.ts'
import { Keeping } from './keeping.ts'
import type { EvidenceLimits } from './limits.ts'
import { costOf } from './limits.ts'
import { EvidenceStore } from './store.ts'

const mebibyte = 1024 * 1024
const digest = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** Files of a victim, and a store for what is in them. */
class Scene implements Disposable {
  readonly tree = new Tree()
  readonly folder = mkdtempDisposableSync(join(tmpdir(), 'landfall-evidence-'))
  readonly blind = new BlindSpots()
  readonly store: EvidenceStore

  constructor(limits: Partial<EvidenceLimits> = {}) {
    const usual = { fileBytes: 4 * mebibyte, trialBytes: 64 * mebibyte, storeBytes: 64 * mebibyte }
    this.store = new EvidenceStore(this.folder.path, { ...usual, ...limits })
  }

  trial(name: string): Keeping {
    return new Keeping(this.store, name, this.blind)
  }

  /** Reads a file as an observation does. */
  read(keeping: Keeping, name: string, limits = {}): void {
    const dir = openSync(this.tree.root, 'r')
    const stat = statAt(dir, cName(name))
    if (stat === undefined) throw new Error('no file')
    const all = limitsWith(limits)
    const left = all.contentBytes
    readContent(
      () => `/${name}`,
      stat.entry,
      { dir, bytes: cName(name) },
      {
        limits: all,
        blind: this.blind,
        expired: () => false,
        known: new Set<string>(),
        left,
        zerosLeft: left,
        keeping,
      },
    )
    closeSync(dir)
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]()
    this.folder[Symbol.dispose]()
  }
}

describe('keeping', () => {
  it.each([0, 1, mebibyte, mebibyte + 1, 3 * mebibyte + 7])('gives back a file of %i bytes as it was', async (size) => {
    using scene = new Scene()
    const bytes = Buffer.alloc(size, 'content ')
    scene.tree.write('f', bytes)
    const keeping = scene.trial('t')
    scene.read(keeping, 'f')
    expect(keeping.result()).toEqual({ stored: [{ sha256: digest(bytes), size }], notStored: [], moreNotStored: 0 })
    expect((await scene.store.find(digest(bytes)))?.equals(bytes)).toBe(true)
  })

  it('gives back a sparse file with its zeros', async () => {
    using scene = new Scene()
    truncateSync(scene.tree.write('f', 'start'), 2 * mebibyte)
    truncateSync(scene.tree.write('empty'), 4_096)
    const keeping = scene.trial('t')
    scene.read(keeping, 'f')
    scene.read(keeping, 'empty')
    const whole = Buffer.concat([Buffer.from('start'), Buffer.alloc(2 * mebibyte - 5)])
    expect((await scene.store.find(digest(whole)))?.equals(whole)).toBe(true)
    expect(await scene.store.find(digest(Buffer.alloc(4_096)))).toEqual(Buffer.alloc(4_096))
  })

  it('keeps equal content once, and for as long as one trial needs it', async () => {
    using scene = new Scene({ storeBytes: costOf(5) * 2 })
    for (const name of ['a', 'b']) scene.tree.write(name, 'equal')
    scene.tree.write('c', 'other')
    const first = scene.trial('t1')
    for (const name of ['a', 'b']) scene.read(first, name)
    expect(first.result().stored).toHaveLength(1)
    const second = scene.trial('t2')
    scene.read(second, 'a')
    scene.read(second, 'c')
    // Full: the first trial is dropped for the next one, but the second still has its content.
    expect(await scene.store.find(digest('equal'))).toBeDefined()
    scene.tree.write('d', 'third')
    scene.read(scene.trial('t3'), 'd')
    expect(readdirSync(scene.folder.path)).toEqual([digest('third')])
    expect(await scene.store.find(digest('equal'))).toBeUndefined()
  })

  it('says what it does not keep and why, and is not blind for it', () => {
    using scene = new Scene({ fileBytes: 10, trialBytes: costOf(5) })
    scene.tree.write('large', 'more than ten bytes')
    scene.tree.write('a', 'first')
    scene.tree.write('b', 'other')
    const keeping = scene.trial('t')
    for (const name of ['large', 'a', 'b']) scene.read(keeping, name)
    expect(keeping.result()).toMatchObject({
      stored: [{ sha256: digest('first') }],
      notStored: [
        { path: '/large', size: 19, reason: 'too-large' },
        { path: '/b', size: 5, reason: 'trial-cap' },
      ],
    })
    expect(scene.blind.list()).toEqual([])
    const off = new Keeping(undefined, 't', scene.blind)
    scene.read(off, 'a')
    expect(off.result().notStored).toEqual([{ path: '/a', size: 5, reason: 'off' }])
  })

  it('counts what it does not list', () => {
    using scene = new Scene({ fileBytes: 0 })
    scene.tree.write('f', 'x')
    const keeping = scene.trial('t')
    for (let round = 0; round < 205; round += 1) scene.read(keeping, 'f')
    expect(keeping.result().notStored).toHaveLength(200)
    expect(keeping.result().moreNotStored).toBe(5)
  })

  it('does not pass off part of a file as evidence', () => {
    using scene = new Scene()
    scene.tree.write('f', Buffer.alloc(2 * mebibyte))
    const keeping = scene.trial('t')
    scene.read(keeping, 'f', { fileBytes: mebibyte })
    expect(keeping.result()).toMatchObject({ stored: [], notStored: [{ path: '/f', reason: 'incomplete' }] })
    expect(readdirSync(scene.folder.path)).toEqual([])
  })

  it('that cannot write is blind, once', () => {
    using scene = new Scene()
    scene.tree.write('a', 'a')
    scene.tree.write('b', Buffer.alloc(2 * mebibyte, 'b'))
    const keeping = scene.trial('t')
    rmSync(scene.folder.path, { recursive: true })
    scene.read(keeping, 'a')
    scene.read(keeping, 'b')
    expect(keeping.result().notStored.map(({ reason }) => reason)).toEqual(['failed', 'failed'])
    expect(scene.blind.list()).toMatchObject([{ kind: 'evidence', path: '/a' }])
  })

  it('begins with an empty store, and touches nothing else in its folder', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'landfall-evidence-'))
    for (const name of ['0'.repeat(64), 'partial-7', 'README']) writeFileSync(join(folder.path, name), '')
    expect(new EvidenceStore(folder.path, { fileBytes: 1, trialBytes: 1, storeBytes: 1 }).folder).toBe(folder.path)
    expect(readdirSync(folder.path)).toEqual(['README'])
  })
})
