import { describe, expect, it } from 'vitest'
import { waitUntilQuiet } from './quiet.ts'

describe('waitUntilQuiet', () => {
  it('returns as soon as nothing is left', async () => {
    let left = 3
    expect(await waitUntilQuiet(1_000, () => left-- > 0)).toBe(true)
    expect(left).toBe(-1)
  })

  it('gives up at its limit', async () => {
    expect(await waitUntilQuiet(20, () => true)).toBe(false)
  })
})
