import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkRoom, freeBytes, minimumFreeBytes } from './room.ts'

describe('minimumFreeBytes', () => {
  it('is 3 GiB unless told otherwise', () => {
    expect(minimumFreeBytes({})).toBe(3 * 2 ** 30)
    expect(minimumFreeBytes({ LANDFALL_MIN_FREE_GB: '0.5' })).toBe(2 ** 29)
  })

  it.each(['much', '-1', 'Infinity'])('refuses %s', (text) => {
    expect(() => minimumFreeBytes({ LANDFALL_MIN_FREE_GB: text })).toThrow(/LANDFALL_MIN_FREE_GB/)
  })
})

describe('checkRoom', () => {
  const folder = join(tmpdir(), 'not', 'made', 'yet')

  it('asks the nearest folder that exists', async () => {
    expect(await freeBytes(folder)).toBeGreaterThan(0)
    await expect(checkRoom({ here: folder }, 1)).resolves.toBeUndefined()
  })

  it('names the folder, what is free and what is needed', async () => {
    await expect(checkRoom({ 'the results folder': folder }, 2 ** 60)).rejects.toThrow(
      /not enough disk room in the results folder \(.*\): .* free, 1 EiB needed/,
    )
  })
})
