import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Window } from './window.ts'

describe('Window', () => {
  it('counts what a list of all hits would count', () => {
    const step = fc.record({ wait: fc.nat(150), key: fc.constantFrom('a', 'b', 'c') })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let time = 1_000
        const window = new Window(100, () => time)
        const begun = new Map<string, { at: number; hits: number }>()
        for (const { wait, key } of steps) {
          time += wait
          const known = begun.get(key)
          const counted = known !== undefined && time < known.at + 100 ? known : { at: time, hits: 0 }
          counted.hits += 1
          begun.set(key, counted)
          expect(window.hit(key)).toEqual({ hits: counted.hits, resetsInMs: counted.at + 100 - time })
        }
      }),
    )
  })

  it('forgets keys that come no more', () => {
    let time = 0
    const window = new Window(100, () => time)
    for (let client = 0; client < 1_000; client += 1) window.hit(`client ${client}`)
    for (let round = 0; round < 3; round += 1) {
      time += 100
      window.hit('one')
    }
    expect(window.size).toBe(1)
  })
})
