import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ownerIsGone, ownerLabel } from './leftovers.ts'

describe('ownership', () => {
  it('tells a living process from one that ended', async () => {
    const child = spawn('sleep', ['60'])
    await once(child, 'spawn')
    const owner = ownerLabel(child.pid)
    expect(ownerIsGone(owner)).toBe(false)
    child.kill()
    await once(child, 'exit')
    expect(ownerIsGone(owner)).toBe(true)
  })

  it('is not fooled by a pid that was used again, and leaves other machines alone', () => {
    const [host, pid] = ownerLabel().split('/')
    expect(ownerIsGone(`${host}/${pid}/1`)).toBe(true)
    expect(ownerIsGone(`elsewhere/${pid}/1`)).toBe(false)
    expect(ownerIsGone('')).toBe(false)
  })
})
