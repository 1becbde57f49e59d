import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unpackZip } from '../testing/unpack.ts'
import type { ZipEntry } from './zip.ts'
import { fromBufferPromise } from 'yauzl'
import { unicodePath, zipArchive, zipDirectory, zipFile, zipLocal, zipModes, zipSymlink } from './zip.ts'

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

  it('marks a directory by its mode and a closing slash', async () => {
    const [directory] = await unpackZip(zipArchive([zipDirectory('d')]))
    expect(directory).toMatchObject({ name: 'd/', type: 'Directory', mode: 0o755 })
  })

  it('can state two names and an extra field', async () => {
    const entry = {
      ...zipFile('central', Buffer.from('x')),
      localName: 'local',
      extra: unicodePath('central', 'ünïcode'),
    }
    expect(zipLocal(entry).toString('latin1')).toContain('local')
    const file = await fromBufferPromise(zipArchive([entry]))
    for await (const { fileName, fileNameRaw } of file.eachEntry()) {
      expect([fileName, fileNameRaw.toString()]).toEqual(['ünïcode', 'central'])
    }
    expect.assertions(2)
  })

  it('can name a method that does not exist', async () => {
    const [entry] = await unpackZip(zipArchive([{ ...zipFile('a', Buffer.from('as it is')), method: 'unknown' }]))
    expect(entry?.content.toString()).toBe('as it is')
  })
})
