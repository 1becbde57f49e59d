import type { Change } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { compareWitnesses, countCompared, type EngineChange } from './witness-engine.ts'

const w1 = (kind: Change['kind'], path: string): Change => ({ kind, path })
const w2 = (Kind: EngineChange['Kind'], Path: string): EngineChange => ({ Kind, Path })

describe('compareWitnesses', () => {
  it('agrees on the same additions, changes and removals', () => {
    const changes = [w1('added', '/a'), w1('changed', '/b'), w1('removed', '/c')]
    expect(compareWitnesses(changes, [], [w2(1, '/a'), w2(0, '/b'), w2(2, '/c')])).toEqual([])
  })

  it('knows what differed from the image before the trial', () => {
    const before = [w2(1, '/decoy'), w2(1, '/gone'), w2(0, '/etc')]
    const changes = [w1('changed', '/decoy'), w1('removed', '/gone')]
    expect(compareWitnesses(changes, before, [w2(1, '/decoy'), w2(0, '/etc')])).toEqual([])
  })

  it.each<[string, Change[], EngineChange[], EngineChange[], object]>([
    ['what W1 alone saw', [w1('added', '/a')], [], [], { path: '/a', w1: 'added', w2: 'nothing' }],
    ['what the engine alone saw', [], [], [w2(1, '/a')], { path: '/a', w1: 'nothing', w2: 'added' }],
    ['another kind of change', [w1('removed', '/a')], [], [w2(0, '/a')], { path: '/a', w1: 'removed', w2: 'changed' }],
    ['a removal that W1 missed', [], [w2(1, '/a')], [], { path: '/a', w1: 'nothing', w2: 'removed' }],
  ])('reports %s', (_, changes, before, after, expected) => {
    expect(compareWitnesses(changes, before, after)).toEqual([expected])
  })

  it('leaves out what the engine cannot see', () => {
    expect(compareWitnesses([w1('added', '/dev/shm/a'), w1('changed', '/etc/hosts')], [], [])).toEqual([])
  })

  it('compares names beyond ASCII', () => {
    expect(compareWitnesses([w1('added', '/%C3%A9')], [], [w2(1, '/é')])).toEqual([])
  })

  it('counts every path once that it compares', () => {
    const changes = [w1('added', '/a'), w1('changed', '/dev/shm'), w1('changed', '/%C3%A9')]
    expect(countCompared(changes, [w2(1, '/decoy')], [w2(1, '/a'), w2(1, '/decoy'), w2(0, '/é')])).toBe(3)
  })

  it.each([
    [['mtimeNs', 'ctimeNs'], 'directory' as const, 0],
    [['mode', 'ctimeNs'], 'directory' as const, 1],
    [['mtimeNs', 'ctimeNs'], 'file' as const, 1],
  ])('counts as %j of a %s that W1 alone saw', (fields, type, count) => {
    const entry = { path: '/x', type, mode: 0, uid: 0, gid: 0, size: 0, links: 2, dev: '0', ino: '0' }
    const times = { mtimeNs: '0', ctimeNs: '0' }
    const change = { ...w1('changed', '/x'), before: { ...entry, ...times }, after: { ...entry, ...times }, fields }
    expect(compareWitnesses([change], [], [])).toHaveLength(count)
  })
})
