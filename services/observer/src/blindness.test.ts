import { describe, expect, it } from 'vitest'
import { BlindSpots } from './blindness.ts'
import { listedBlindness } from './limits.ts'

describe('BlindSpots', () => {
  it('hides what is at and below an unread place, and nothing beside it', () => {
    const blind = new BlindSpots()
    blind.addSubtree('unreadable', 'x', '/a/b')
    expect(['/a/b', '/a/b/c', '/a/bc', '/a'].map((key) => blind.mayHide(key))).toEqual([true, true, false, false])
    blind.addSubtree('root-lost', 'x', '/')
    expect(blind.mayHide('/a/bc')).toBe(true)
  })

  it('hides nothing because of a file whose content could not be read', () => {
    const blind = new BlindSpots()
    blind.add('bytes', 'x', '/a')
    expect(blind.mayHide('/a')).toBe(false)
  })

  it('counts what it no longer lists, and then vouches for nothing', () => {
    const blind = new BlindSpots()
    for (let index = 0; index < listedBlindness + 7; index += 1) blind.addSubtree('depth', 'x', `/d${index}`)
    expect(blind.list()).toHaveLength(listedBlindness + 1)
    expect(blind.list().at(-1)?.detail).toContain('7 more')
    expect(blind.mayHide('/elsewhere')).toBe(true)
  })
})
