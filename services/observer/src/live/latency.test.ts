import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Latency, percentile } from './latency.ts'

describe('Latency', () => {
  it('counts all and keeps few, and its percentiles stay near those of all', () => {
    const latency = new Latency(64)
    for (let index = 0; index < 10_000; index += 1) latency.add((index * 7_919) % 10_000)
    const { samples, p50, p95 } = latency.result()
    expect(samples).toBe(10_000)
    expect(Math.abs(p50 - 5_000)).toBeLessThan(2_500)
    expect(Math.abs(p95 - 9_500)).toBeLessThan(1_500)
  })

  it('is exact while all are kept', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), (values) => {
        const latency = new Latency(64)
        for (const value of values) latency.add(value)
        const sorted = values.toSorted((a, b) => a - b)
        expect(latency.result()).toEqual({
          samples: values.length,
          p50: percentile(sorted, 0.5),
          p95: percentile(sorted, 0.95),
        })
      }),
    )
  })

  it('says nothing of nothing', () => {
    expect(new Latency().result()).toEqual({ samples: 0, p50: 0, p95: 0 })
  })
})
