import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unpackTar } from '../testing/unpack.ts'
import type { TarEntry } from './tar.ts'
import { tarArchive, tarFile, tarHeader } from './tar.ts'

const nodeTarType = { file: 'File', hardLink: 'Link', symlink: 'SymbolicLink', fifo: 'FIFO' } as const

/** Names without a closing slash, which would make a directory of a file. */
const name = fc
  .string({ minLength: 1, maxLength: 30 })
  .filter((text) => !/[\0/]$|\0/.test(text) && Buffer.byteLength(text) <= 100)
const content = fc.uint8Array({ maxLength: 1500 }).map((bytes) => Buffer.from(bytes))
const mode = fc.integer({ min: 0, max: 0o7777 })

const entry: fc.Arbitrary<TarEntry> = fc.oneof(
  fc.record({ name, type: fc.constant('file' as const), mode, content }),
  fc.record({ name, type: fc.constantFrom('hardLink' as const, 'symlink' as const), mode, linkName: name }),
  fc.record({ name, type: fc.constant('fifo' as const), mode }),
)

describe('tarArchive', () => {
  it('is read back by node-tar exactly as it was given', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 6 }), async (entries) => {
        const read = await unpackTar(tarArchive(entries))
        expect(read).toEqual(
          entries.map((given) => ({
            name: given.name,
            type: nodeTarType[given.type as keyof typeof nodeTarType],
            mode: given.mode,
            ...(given.linkName === undefined ? {} : { target: given.linkName }),
            content: given.content ?? Buffer.alloc(0),
          })),
        )
      }),
    )
  })

  it('takes hostile names as they are', async () => {
    const names = ['../../x', '/tmp/x', 'C:\\x', '..\\x', '\\\\host\\share']
    const read = await unpackTar(tarArchive(names.map((each) => tarFile(each, Buffer.from('x')))))
    expect(read.map((each) => each.name)).toEqual(names)
  })

  it('ends in two zero blocks', () => {
    const bytes = tarArchive([tarFile('a', Buffer.from('a'))])
    expect(bytes.length).toBe(4 * 512)
    expect(bytes.subarray(-1024).every((byte) => byte === 0)).toBe(true)
  })
})

describe('tarHeader', () => {
  it('has owner 0:0, time 0 and the ustar mark', () => {
    const header = tarHeader({ name: 'a', type: 'file', mode: 0o4755, size: 5 }).toString('latin1')
    expect(header.slice(100, 108)).toBe('0004755\0')
    expect(header.slice(108, 124)).toBe('0000000\x000000000\0')
    expect(header.slice(136, 148)).toBe('00000000000\0')
    expect(header.slice(257, 265)).toBe('ustar\x0000')
  })

  it('states a size and a checksum that are not so, when told to', () => {
    const bytes = tarArchive([{ ...tarFile('a', Buffer.from('abc')), size: 700, checksum: 1 }])
    expect(bytes.toString('latin1', 124, 136)).toBe('00000001274\0')
    expect(bytes.toString('latin1', 148, 156)).toBe('000001\0 ')
    expect(bytes.length).toBe(4 * 512)
  })

  it('refuses a name that does not fit', () => {
    expect(() => tarHeader({ name: 'a'.repeat(101), type: 'file', mode: 0, size: 0 })).toThrow(/cannot hold 101 bytes/)
  })
})
