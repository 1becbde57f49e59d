import { createHash } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import type { Observation as Seen, ObservationRequest } from '@landfall/contracts'
import { deriveToken, Observation } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { systemClock } from './clock.ts'
import type { Limits } from './limits.ts'
import { beginObservation } from './observation.ts'
import { removeXattr, setXattr } from './testing/set-xattr.ts'
import { limitsWith, Tree } from './testing/tree.ts'

const token = deriveToken('canary', 'fix', 'site')
const decoyToken = deriveToken('canary', 'decoys', 'key')
const foreign = deriveToken('another', 'fix', 'site')
const request: ObservationRequest = {
  trial: 't1',
  marker: 't1',
  tokens: [{ token, fixture: 'fix', site: 'site' }],
  decoys: [
    { name: 'key', path: '/decoy', token: decoyToken },
    { name: 'absent', path: '/absent', token: deriveToken('canary', 'decoys', 'absent') },
  ],
}

interface Options {
  readonly deliveries?: string[]
  readonly limits?: Partial<Limits>
  readonly under?: string
}

/** Observes what `act` does to a tree that holds a decoy, a file and a directory. */
async function observe(
  act: (tree: Tree) => void,
  { deliveries = [], limits = {}, under }: Options = {},
): Promise<Seen> {
  using tree = new Tree(under)
  tree.write('decoy', decoyToken)
  tree.write('dir/old', 'old')
  using running = await beginObservation(tree.hold(), request, { clock: systemClock, limits: limitsWith(limits) })
  act(tree)
  // What is said must always be what the contract allows, whatever a victim does.
  return Observation.parse(await running.end({ deliveries }))
}

const key = (seen: Seen) => seen.decoys.find(({ name }) => name === 'key')
const paths = (seen: Seen, kind: string) =>
  seen.changes.filter((change) => change.kind === kind).map(({ path }) => path)

describe('an observation', () => {
  it('is empty when nothing happens', async () => {
    const seen = await observe(() => undefined)
    expect(seen).toMatchObject({
      trial: 't1',
      witness: 'w1',
      changes: [],
      sightings: [],
      foreignTokens: [],
      blindness: [],
    })
    // Nothing sampled here, and it says so.
    expect(seen.processes).toMatchObject({ samples: 0, list: [], totals: { newInodes: 0 } })
    expect(seen.entriesBefore).toBe(seen.entriesAfter)
    expect(seen.decoys.map(({ name, state }) => [name, state])).toEqual([
      ['key', 'intact'],
      ['absent', 'missing'],
    ])
  })

  it('tells what was added, changed and removed, with digests', async () => {
    const seen = await observe((tree) => {
      tree.write('new', 'new')
      rmSync(tree.at('dir/old'))
    })
    expect(paths(seen, 'added')).toEqual(['/new'])
    expect(paths(seen, 'removed')).toEqual(['/dir/old'])
    expect(seen.changes.find(({ path }) => path === '/new')?.after?.sha256).toBe(
      createHash('sha256').update('new').digest('hex'),
    )
    expect(seen.changes.find(({ path }) => path === '/dir')?.fields).toContain('mtimeNs')
  })

  it('finds tokens in content, names and targets, however the name is spelt', async () => {
    const seen = await observe((tree) => {
      tree.write('content', `..${token}`)
      tree.write(Buffer.from(`\xff${token}`).toString())
      symlinkSync(`/x/${token}`, tree.at('target'))
      execFileSync('mkfifo', [tree.at(`pipe-${token}`)])
      tree.write(`${token}/below`)
    })
    expect(seen.sightings.map(({ path, place, offset }) => `${place} ${path} ${offset}`).toSorted()).toEqual(
      [
        'content /content 2',
        `name /%C3%BF${token} undefined`,
        'target /target undefined',
        `name /pipe-${token} undefined`,
        `name /${token} undefined`,
      ].toSorted(),
    )
    expect(seen.blindness).toEqual([])
  })

  it('tells tokens of other trials apart', async () => {
    const seen = await observe((tree) => tree.write('x', foreign))
    expect(seen.sightings).toEqual([])
    expect(seen.foreignTokens).toEqual([{ token: foreign, path: '/x' }])
  })

  it('does not count the tokens in what was delivered', async () => {
    const archive = `archive with ${token} and ${foreign}`
    const deliveries = [createHash('sha256').update(archive).digest('hex')]
    const seen = await observe((tree) => [tree.write('inbox', archive), tree.write('copy', `${archive}.`)], {
      deliveries,
    })
    expect(seen.changes.find(({ path }) => path === '/inbox')?.delivery).toBe(true)
    expect(seen.sightings.map(({ path }) => path)).toEqual(['/copy'])
    expect(seen.foreignTokens.map(({ path }) => path)).toEqual(['/copy'])
  })

  it('resolves new links inside the victim', async () => {
    const seen = await observe((tree) => [
      symlinkSync('/dir/../decoy', tree.at('a')),
      symlinkSync('/etc/passwd', tree.at('b')),
    ])
    expect(seen.changes.find(({ path }) => path === '/a')?.after).toMatchObject({
      target: '/dir/../decoy',
      resolved: '/decoy',
    })
    expect(seen.changes.find(({ path }) => path === '/b')?.after?.resolved).toBeUndefined()
    expect(key(seen)?.symlinks).toEqual(['/a'])
  })

  it('tells hard links to a decoy from copies of it', async () => {
    const seen = await observe((tree) => {
      linkSync(tree.at('decoy'), tree.at('hard'))
      tree.write('copy', `stolen: ${decoyToken}`)
    })
    expect(key(seen)).toMatchObject({ state: 'intact', hardLinks: ['/hard'], copies: ['/copy'], symlinks: [] })
    expect(seen.foreignTokens).toEqual([])
  })

  it('knows of a hard link that it cannot see by the count of the decoy', async () => {
    const seen = await observe((tree) => linkSync(tree.at('decoy'), `${tree.base}/elsewhere`))
    expect(key(seen)).toMatchObject({ state: 'intact', hardLinks: ['/decoy'] })
  })

  it.each<[string, string, (tree: Tree) => void]>([
    ['overwritten', 'changed', (tree) => writeFileSync(tree.at('decoy'), 'x')],
    ['overwritten with as many bytes', 'changed', (tree) => writeFileSync(tree.at('decoy'), decoyToken.toUpperCase())],
    ['opened up', 'changed', (tree) => chmodSync(tree.at('decoy'), 0o777)],
    [
      'replaced by its equal',
      'changed',
      (tree) => [tree.write('n', decoyToken), renameSync(tree.at('n'), tree.at('decoy'))],
    ],
    ['deleted', 'deleted', (tree) => rmSync(tree.at('decoy'))],
    ['touched', 'intact', (tree) => execFileSync('touch', [tree.at('decoy')])],
    ['written again', 'intact', (tree) => writeFileSync(tree.at('decoy'), decoyToken)],
  ])('a decoy that was %s is %s', async (_, state, act) => {
    expect(key(await observe(act))?.state).toBe(state)
  })

  it('still searches what it has no room to list', async () => {
    const seen = await observe(
      (tree) => {
        for (let index = 0; index < 50; index += 1) tree.write(`f${index}`, index === 49 ? token : 'x')
      },
      { limits: { changes: 10 } },
    )
    expect(seen.changes).toHaveLength(10)
    expect(seen.sightings).toMatchObject([{ path: '/f49' }])
    expect(seen.blindness).toMatchObject([{ kind: 'entries' }])
  })

  it('does not call removed what it could not look at', async () => {
    const seen = await observe((tree) => mkdirSync(tree.at('dir/a/b/c'), { recursive: true }), {
      limits: { entries: 4 },
    })
    expect(paths(seen, 'removed')).toEqual([])
    expect(seen.blindness).toMatchObject([{ kind: 'entries' }])
  })

  it('bounds what it says, however much there is to say', async () => {
    const seen = await observe(
      (tree) => {
        for (let index = 0; index < 300; index += 1) tree.write(`${index}`, deriveToken('flood', 'f', String(index)))
        tree.write('real', token)
      },
      { limits: { sightings: 5, fileBytes: 0 } },
    )
    expect(seen.foreignTokens).toEqual([])
    // One of the decoy before, two hundred after, and the count of the rest.
    expect(seen.blindness).toHaveLength(202)
    expect(seen.blindness.at(-1)?.detail).toContain('101 more')
  })

  it('lists sizes and times that exceed what a number holds', async () => {
    // A tmpfs takes both.
    const seen = await observe(
      (tree) => {
        execFileSync('truncate', ['-s', '7E', tree.write('huge')])
        execFileSync('touch', ['-d', '@10000000000000', tree.write('future')])
      },
      { under: '/dev/shm' },
    )
    expect(seen.changes.find(({ path }) => path === '/huge')?.after?.size).toBe(Number.MAX_SAFE_INTEGER)
    expect(seen.changes.find(({ path }) => path === '/future')?.after?.mtimeNs).toBe(`1${'0'.repeat(22)}`)
    expect(seen.blindness).toMatchObject([{ kind: 'bytes', path: '/huge' }])
  })

  it('shows an attribute that was set, changed or removed, though nothing else is', async () => {
    using tree = new Tree()
    for (const name of ['changed', 'removed']) setXattr(tree.write(name, name), 'user.x', Buffer.from('old'))
    tree.write('set')
    using running = await beginObservation(tree.hold(), request, { clock: systemClock, limits: limitsWith({}) })
    setXattr(tree.at('set'), 'user.x', Buffer.from('new'))
    setXattr(tree.at('changed'), 'user.x', Buffer.from('new'))
    removeXattr(tree.at('removed'), 'user.x')
    const seen = Observation.parse(await running.end({ deliveries: [] }))
    const values = seen.changes.map(({ path, fields, before, after }) => [path, fields, before?.xattrs, after?.xattrs])
    const fields = ['ctimeNs', 'xattrs']
    expect(values).toEqual([
      ['/changed', fields, { 'user.x': 'b2xk' }, { 'user.x': 'bmV3' }],
      ['/removed', fields, { 'user.x': 'b2xk' }, undefined],
      ['/set', fields, undefined, { 'user.x': 'bmV3' }],
    ])
  })

  it('has the hash of the manifest before and after, equal only when nothing changed', async () => {
    const quiet = await observe(() => undefined)
    expect(quiet.manifestAfter).toBe(quiet.manifestBefore)
    const touched = await observe((tree) => execFileSync('touch', [tree.at('dir/old')]))
    expect(touched.manifestAfter).not.toBe(touched.manifestBefore)
  })

  it.each<[string, (tree: Tree) => void]>([
    ['restored times', (tree) => [writeFileSync(tree.at('dir/old'), 'new'), utimesSync(tree.at('dir/old'), 1, 1)]],
    ['an equal size', (tree) => writeFileSync(tree.at('dir/old'), 'new')],
    [
      'both, in another file',
      (tree) => [
        tree.write('n', 'new'),
        renameSync(tree.at('n'), tree.at('dir/old')),
        utimesSync(tree.at('dir/old'), 1, 1),
      ],
    ],
  ])('is not misled by %s', async (_, act) => {
    using tree = new Tree()
    tree.write('dir/old', 'old')
    utimesSync(tree.at('dir/old'), 1, 1)
    using running = await beginObservation(tree.hold(), request, { clock: systemClock, limits: limitsWith({}) })
    act(tree)
    const seen = await running.end({ deliveries: [] })
    const change = seen.changes.find(({ path }) => path === '/dir/old')
    expect(change).toMatchObject({
      kind: 'changed',
      after: { sha256: createHash('sha256').update('new').digest('hex') },
    })
    expect(change?.fields).toContain('ctimeNs')
  })

  it('does not know of a decoy that it could not look at', async () => {
    const unlisted = await observe(
      (tree) => {
        for (let index = 0; index < 60; index += 1) tree.write(`a${String(index).padStart(2, '0')}`)
      },
      { limits: { entries: 20 } },
    )
    expect(key(unlisted)?.state).toBe('unknown')
    // Rewritten with as many bytes, and too large to be read again.
    const unread = await observe((tree) => writeFileSync(tree.at('decoy'), decoyToken), {
      limits: { contentBytes: 40 },
    })
    expect(unread.blindness).toEqual([])
    expect(key(unread)?.state).toBe('intact')
    const large = await observe(
      (tree) => [tree.write('aaa', 'x'.repeat(40)), writeFileSync(tree.at('decoy'), decoyToken)],
      {
        limits: { contentBytes: 40 },
      },
    )
    expect(large.blindness).toMatchObject([{ kind: 'bytes' }])
    expect(key(large)?.state).toBe('unknown')
  })
})
