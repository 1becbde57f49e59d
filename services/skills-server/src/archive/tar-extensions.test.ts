import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unpackTar } from '../testing/unpack.ts'
import { longName, paxHeader } from './tar-extensions.ts'
import { tarArchive, tarFile } from './tar.ts'

/** Names of any length up to more than a field can hold, so that the length of a record has one to three digits. */
const name = fc.stringMatching(/^[a-z][a-z0-9 ]{0,240}[a-z]$/)
const file = tarFile('short', Buffer.from('x'))

describe('paxHeader', () => {
  it('gives the next entry the path that node-tar then reads', async () => {
    await fc.assert(
      fc.asyncProperty(name, async (path) => {
        const read = await unpackTar(tarArchive([paxHeader({ path }), file, file]))
        expect(read.map((entry) => entry.name)).toEqual([path, 'short'])
      }),
    )
  })

  it('counts its own digits, also where that makes one more of them', () => {
    // `9 a=1234\n` is nine bytes; one more makes ten, which has two digits, hence eleven.
    expect(paxHeader({ a: '1234' }).content?.toString()).toBe('9 a=1234\n')
    expect(paxHeader({ a: '12345' }).content?.toString()).toBe('11 a=12345\n')
  })

  it('says whom it is about', () => {
    expect(paxHeader({}).type).toBe('pax')
    expect(paxHeader({}, 'globalPax').type).toBe('globalPax')
  })
})

describe('longName', () => {
  it('gives the next entry the name that node-tar then reads', async () => {
    await fc.assert(
      fc.asyncProperty(name, async (long) => {
        const read = await unpackTar(tarArchive([longName(long), file, file]))
        expect(read.map((entry) => entry.name)).toEqual([long, 'short'])
      }),
    )
  })
})
