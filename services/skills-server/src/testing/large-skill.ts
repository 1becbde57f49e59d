import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** For tests: a root with one skill that has one file of 16 MiB. */
export interface LargeSkill extends AsyncDisposable {
  readonly root: string
  readonly uri: string
  readonly size: number
}

export async function largeSkill(): Promise<LargeSkill> {
  const root = await mkdtemp(join(tmpdir(), 'landfall-large-'))
  const size = 16 * 1024 * 1024
  await mkdir(join(root, 'large'))
  await writeFile(join(root, 'large/SKILL.md'), '---\nname: large\ndescription: Has one large file.\n---\n')
  await writeFile(join(root, 'large/data.bin'), Buffer.alloc(size, 'x'))
  const uri = 'skill://large/data.bin'
  return { root, uri, size, [Symbol.asyncDispose]: async () => await rm(root, { recursive: true }) }
}
