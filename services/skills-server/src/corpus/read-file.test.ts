import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readRegularFile } from './read-file.ts'

/** What happens when something else has taken the place of a file since the tree was walked. */
const folder = mkdtempSync(join(tmpdir(), 'landfall-read-'))
const at = (name: string) => join(folder, name)
writeFileSync(at('file'), 'content')
symlinkSync('file', at('link'))
execFileSync('mkfifo', [at('fifo')])
afterAll(() => rmSync(folder, { recursive: true }))

describe('readRegularFile', { timeout: 5_000 }, () => {
  it('reads a file whole, with the bit that says that it may be run', async () => {
    expect(await readRegularFile(at('file'))).toEqual({ bytes: Buffer.from('content'), mode: 0o644 })
    chmodSync(at('file'), 0o700)
    expect((await readRegularFile(at('file'))).mode).toBe(0o755)
  })

  it('does not follow a link', async () => {
    await expect(readRegularFile(at('link'))).rejects.toMatchObject({ code: 'ELOOP' })
  })

  it('does not wait for the other end of a FIFO', async () => {
    await expect(readRegularFile(at('fifo'))).rejects.toThrow('not a regular file')
  })

  it('takes no folder for a file', async () => {
    await expect(readRegularFile(folder)).rejects.toThrow('not a regular file')
  })
})
