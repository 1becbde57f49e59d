import type { Change } from '@landfall/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { added, entryOf } from '../testing/page-scenes.ts'
import { ChangeLog } from './change-log.ts'

const removed = (path: string): Change => ({ kind: 'removed', path, before: entryOf(path) })
const changed = (path: string, ...fields: string[]): Change => {
  return { kind: 'changed', path, before: entryOf(path), after: entryOf(path), fields }
}
const after = (...rounds: Change[][]) => {
  const log = new ChangeLog()
  for (const round of rounds) log.add(round)
  return log.result().rows.map(({ kind, fields = [] }) => [kind, ...fields].join(' '))
}

describe('changes over many rounds', () => {
  it.each([
    ['new, then written to', [[added('/a')], [changed('/a', 'size')]], ['added']],
    ['new, then gone', [[added('/a')], [removed('/a')]], []],
    ['gone, then back', [[removed('/a')], [added('/a')]], ['changed']],
    ['changed twice', [[changed('/a', 'mode')], [changed('/a', 'size')]], ['changed mode size']],
    ['changed, then gone', [[changed('/a', 'mode')], [removed('/a')]], ['removed mode']],
  ])('%s', (_, rounds, expected) => {
    expect(after(...rounds)).toEqual(expected)
  })

  it('are what differs from the start, however the rounds fall', () => {
    const step = fc.record({ path: fc.constantFrom('/a', '/b'), there: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const log = new ChangeLog()
        const there = new Set(['/b'])
        for (const { path, there: shall } of steps) {
          if (shall === there.has(path)) continue
          log.add([shall ? added(path) : removed(path)])
          if (shall) there.add(path)
          else there.delete(path)
        }
        expect(log.get('/a')?.kind).toBe(there.has('/a') ? 'added' : undefined)
        expect(log.get('/b')?.kind === 'removed').toBe(!there.has('/b'))
      }),
    )
  })

  it('are kept up to a limit and counted beyond', () => {
    const log = new ChangeLog(3)
    log.add(['/a', '/b', '/c', '/d', '/e'].map((path) => added(path)))
    log.add([changed('/a', 'size')])
    expect(log.result()).toMatchObject({ more: 2 })
    expect(log.size).toBe(5)
  })
})
