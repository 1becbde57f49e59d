import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { existsSync } from 'node:fs'
import { fillCommand } from './placeholders.ts'
import { readProfileFolder } from './profile-folder.ts'
import { hostsFolder, shimsFolder } from './profiles.ts'

describe('the host profiles that we ship', () => {
  it('parse, at least thirty of them extractors, with one positive and one negative control at the end', async () => {
    const profiles = await readProfileFolder(hostsFolder)
    const ids = profiles.map(({ id }) => id)
    expect(ids.slice(0, -2)).toEqual(ids.slice(0, -2).toSorted())
    expect(profiles.filter(({ kind }) => kind === 'extractor').length).toBeGreaterThanOrEqual(30)
    expect(profiles.slice(-2).map(({ control }) => control)).toEqual(['inert', 'naive'])
    expect(profiles.slice(-2).every(({ install }) => install.length === 2)).toBe(true)
  })

  it('name only shims that exist', async () => {
    for (const { install, version } of await readProfileFolder(hostsFolder)) {
      const words = [...install.map(({ run }) => run), version].flatMap((command) =>
        fillCommand(command, { shims: shimsFolder }),
      )
      expect(words.filter((word) => word.startsWith(shimsFolder) && !existsSync(word))).toEqual([])
    }
  })
})

describe('readProfileFolder', () => {
  it('refuses a profile whose file has another name', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'profiles-'))
    const text =
      'id: mine\ntitle: Mine\nkind: extractor\nchannels: [archive-file]\nversion: [x]\ninstall: [{ format: zip, run: [x] }]\n'
    await writeFile(join(folder.path, 'other.yaml'), text)
    await expect(readProfileFolder(folder.path)).rejects.toThrow('must be called mine.yaml')
  })
})
