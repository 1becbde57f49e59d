import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { existsSync } from 'node:fs'
import { fillCommand } from './placeholders.ts'
import { readProfileFolder } from './profile-folder.ts'
import { hostsFolder, shimsFolder } from './profiles.ts'

describe('the host profiles that we ship', () => {
  it('parse, each with one positive and one negative control at the end', async () => {
    const profiles = await readProfileFolder(hostsFolder)
    expect(profiles.map(({ id }) => id)).toEqual([
      '7z',
      'bsdtar',
      'busybox-tar',
      'busybox-unzip',
      'extract-zip',
      'gnu-tar',
      'node-tar',
      'python-tarfile-data',
      'python-tarfile',
      'python-zipfile',
      'unzip',
      'inert',
      'naive',
    ])
    expect(profiles.slice(-2).map(({ control }) => control)).toEqual(['inert', 'naive'])
    expect(profiles.slice(-2).every(({ install }) => install.length === 2)).toBe(true)
  })

  it('name only shims that exist', async () => {
    const values = { archive: '', dest: '', stage: '', home: '', shims: shimsFolder }
    for (const { install, version } of await readProfileFolder(hostsFolder)) {
      const words = [...install.map(({ run }) => run), version].flatMap((command) => fillCommand(command, values))
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
