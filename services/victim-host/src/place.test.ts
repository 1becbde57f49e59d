import { lstat, mkdir, mkdtempDisposable, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyDestination, emptyStage, putInInbox } from './place.ts'

async function layoutIn(folder: string) {
  const layout = {
    home: folder,
    skills: `${folder}/.agents/skills`,
    inbox: `${folder}/inbox`,
    workspace: `${folder}/w`,
  }
  await mkdir(layout.skills, { recursive: true })
  return layout
}

describe('place', () => {
  it('puts a delivery where only its user can read it', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'place-'))
    const path = putInInbox(await layoutIn(folder.path), 'demo', 'zip', Buffer.from('bytes'))
    expect(path).toBe(`${folder.path}/inbox/demo.zip`)
    expect(await readFile(path, 'utf8')).toBe('bytes')
    expect((await lstat(path)).mode & 0o777).toBe(0o600)
  })

  it('never writes through a link that an earlier skill has left in its way', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'place-'))
    const layout = await layoutIn(folder.path)
    const precious = `${folder.path}/precious`
    await writeFile(precious, 'precious')
    await mkdir(`${folder.path}/elsewhere`)
    await writeFile(`${folder.path}/elsewhere/kept`, 'kept')
    await mkdir(layout.inbox)
    await symlink(precious, `${layout.inbox}/demo.zip`)
    await symlink(`${folder.path}/elsewhere`, `${layout.skills}/demo`)

    putInInbox(layout, 'demo', 'zip', Buffer.from('bytes'))
    const dest = emptyDestination(layout, 'demo')
    expect(await readFile(precious, 'utf8')).toBe('precious')
    expect(await readdir(`${folder.path}/elsewhere`)).toEqual(['kept'])
    expect((await lstat(dest)).isDirectory()).toBe(true)
  })

  it('empties what an earlier installation has left', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'place-'))
    const layout = await layoutIn(folder.path)
    for (const make of [emptyDestination, emptyStage]) {
      await writeFile(`${make(layout, 'demo')}/old`, 'old')
      expect(await readdir(make(layout, 'demo'))).toEqual([])
    }
    expect(await readdir(layout.skills)).toEqual(['.stage-demo', 'demo'])
  })
})
