import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadProfiles } from './profiles.ts'

const profile = (id: string, title: string) =>
  `id: ${id}\ntitle: ${title}\nkind: extractor\nchannels: [archive-file]\nversion: [x]\ninstall: [{ format: zip, run: [x] }]\n`

describe('loadProfiles', () => {
  it('adds the hosts of a folder to ours, in order, controls last; one of the same id replaces ours', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'own-hosts-'))
    await writeFile(join(folder.path, 'aaa.yaml'), profile('aaa', 'Mine'))
    await writeFile(join(folder.path, 'unzip.yml'), profile('unzip', 'My unzip'))
    const shipped = await loadProfiles()
    const all = await loadProfiles(folder.path)
    expect(all).toHaveLength(shipped.length + 1)
    expect(all.find(({ id }) => id === 'aaa')?.title).toBe('Mine')
    expect(all.find(({ id }) => id === 'unzip')?.title).toBe('My unzip')
    expect(all.slice(-2).map(({ id }) => id)).toEqual(['inert', 'naive'])
  })

  it.each([
    ['one that is missing', undefined, /cannot read the host profiles in /],
    ['one without a profile', {}, /no host profile \(\*\.yaml\) in /],
    [
      'two of one id',
      { 'a.yaml': profile('a', 'A'), 'b.yaml': profile('a', 'B') },
      /two host profiles in .* have the id a/,
    ],
    ['a mistake in a profile', { 'a.yaml': `${profile('a', 'A')}colour: red\n` }, /a\.yaml:7:1: colour: unknown key/],
  ])('refuses %s', async (_what, files, message) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'own-hosts-'))
    for (const [name, text] of Object.entries<string>(files ?? {})) await writeFile(join(folder.path, name), text)
    await expect(loadProfiles(files === undefined ? join(folder.path, 'gone') : folder.path)).rejects.toThrow(message)
  })
})
