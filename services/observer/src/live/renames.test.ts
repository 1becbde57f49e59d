import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Renames } from './renames.ts'

describe('Renames', () => {
  it('joins every second half with its first, in whatever order they come, and reports each lost one once', () => {
    const anyRename = fc.record({
      cookie: fc.nat(),
      leftAt: fc.nat(1_000),
      stay: fc.option(fc.integer({ min: 0, max: 99 })),
    })
    fc.assert(
      fc.property(fc.uniqueArray(anyRename, { selector: ({ cookie }) => cookie }), (renames) => {
        const joined = new Set<number>()
        const gone: number[] = []
        const halves = new Renames<number>(100)
        const steps = renames.flatMap(({ cookie, leftAt, stay }) => [
          { at: leftAt, cookie, first: true },
          ...(stay === null ? [] : [{ at: leftAt + stay, cookie, first: false }]),
        ])
        // A stable sort: a first half comes before its second.
        for (const { at, cookie, first } of steps.toSorted((a, b) => a.at - b.at)) {
          gone.push(...halves.expired(at))
          if (first) expect(halves.left(cookie, cookie, at)).toBeUndefined()
          else if (halves.arrived(cookie) === cookie) joined.add(cookie)
        }
        gone.push(...halves.expired(Infinity))
        expect(joined).toEqual(new Set(renames.filter(({ stay }) => stay !== null).map(({ cookie }) => cookie)))
        const lost = renames.filter(({ stay }) => stay === null).map(({ cookie }) => cookie)
        expect([gone.length, new Set(gone)]).toEqual([lost.length, new Set(lost)])
        expect(halves.size).toBe(0)
      }),
    )
  })

  it('knows nothing of what came from elsewhere', () => {
    expect(new Renames<string>(100).arrived(7)).toBeUndefined()
  })
})
