import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unpackZip } from '../testing/unpack.ts'
import type { ZipEntry } from './zip.ts'
import { zipArchive, zipFile, zipModes, zipSymlink } from './zip.ts'

const entry: fc.Arbitrary<ZipEntry> = fc.record({
  name: fc.string({ minLength: 1, maxLength: 30 }).filter((text) => !text.endsWith('/')),
  mode: fc.integer({ min: 0, max: 0o7777 }).map((bits) => 0o100000 | bits),
  content: fc.uint8Array({ maxLength: 1500 }).map((bytes) => Buffer.from(bytes)),
  method: fc.constantFrom('stored' as const, 'deflated' as const),
})

describe('zipArchive', () => {
  it('is read back by yauzl exactly as it was given', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 6 }), async (entries) => {
        const read = await unpackZip(zipArchive(entries))
        expect(read).toEqual(
          entries.map(({ name, mode, content }) => ({ name, type: 'File', mode: mode & 0o7777, content })),
        )
      }),
    )
  })

  it('takes hostile names as they are', async () => {
    const names = ['../../x', '/tmp/x', 'C:\\x']
    const read = await unpackZip(zipArchive(names.map((name) => zipFile(name, Buffer.from('x')))))
    expect(read.map((each) => each.name)).toEqual(names)
  })

  it('marks a symbolic link by its mode and keeps the target as content', async () => {
    const [link] = await unpackZip(zipArchive([zipSymlink('link', '../away')]))
    expect(link).toMatchObject({ type: 'SymbolicLink', mode: 0o777, target: '../away' })
    expect(zipModes.symlink).toBe(0o120777)
  })

  it('holds no time of its making', () => {
    const bytes = zipArchive([zipFile('a', Buffer.from('a'))])
    expect(bytes.subarray(10, 14).toString('hex')).toBe('00002100')
  })
})
