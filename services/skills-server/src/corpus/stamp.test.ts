import { deriveCanary, deriveToken } from '@landfall/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStampable, placeholder, stamp } from './stamp.ts'
import { fromTags, toTags } from './tags.ts'

const row = { id: 'demo', sites: [{ id: 'executed' }, { id: 'sent' }] }
const canary = deriveCanary('stamp', 'a')
const token = (site: string) => deriveToken(canary, 'demo', site)
const stampText = (text: string) => stamp(Buffer.from(text), row, canary).toString()

describe('stamp', () => {
  it('puts the token of each site in its place, every time', () => {
    expect(stampText('a {{canary:executed}} b {{canary:sent}} c {{canary:executed}}')).toBe(
      `a ${token('executed')} b ${token('sent')} c ${token('executed')}`,
    )
  })

  it('writes a token in tag characters where the placeholder is', () => {
    const text = stampText(`x${toTags(`echo ${placeholder('executed')}`)}y`)
    expect(fromTags(text)).toEqual([`echo ${token('executed')}`])
    expect(text).not.toContain('LFC-')
  })

  it('leaves alone the sites of others', () => {
    expect(stampText('{{canary:else}} {{mustache}}')).toBe('{{canary:else}} {{mustache}}')
  })

  it('changes no other byte, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (before, after) => {
        const middle = Buffer.from(placeholder('sent'))
        const stamped = stamp(Buffer.concat([before, middle, after]), row, canary)
        expect(stamped).toEqual(Buffer.concat([before, Buffer.from(token('sent')), after]))
      }),
    )
  })

  it('copies nothing when there is nothing to stamp', () => {
    const bytes = Buffer.from('plain')
    expect(stamp(bytes, row, canary)).toBe(bytes)
    expect(isStampable(bytes)).toBe(false)
  })
})
