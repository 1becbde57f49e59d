import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OutputTail } from './output-tail.ts'

describe('OutputTail', () => {
  it('keeps everything that fits', () => {
    const tail = new OutputTail(10)
    tail.push(Buffer.from('12345'))
    tail.push(Buffer.from('67890'))
    expect(tail.toString()).toBe('1234567890')
  })

  it('keeps exactly the end, and says how much came before it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{0,30}$/), { maxLength: 40 }),
        fc.integer({ min: 1, max: 50 }),
        (parts, limit) => {
          const tail = new OutputTail(limit)
          for (const part of parts) tail.push(Buffer.from(part))
          const all = parts.join('')
          const dropped = Math.max(0, all.length - limit)
          expect(tail.toString()).toBe(dropped === 0 ? all : `[${dropped} bytes left out]\n${all.slice(dropped)}`)
        },
      ),
    )
  })
})
