import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostProfile } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts/errors'
import { parseHostProfile } from '@landfall/contracts/host-profile-file'

/**
 * Reads every host profile of a folder, in the order of the matrix: by id, controls last.
 *
 * @throws LandfallError `invalid` when a profile does not parse, or when its id is not its file's name.
 */
export async function readProfileFolder(folder: string): Promise<HostProfile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml'))
  const profiles = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name)
      const profile = parseHostProfile(await readFile(file, 'utf8'), file)
      if (`${profile.id}.yaml` !== name) {
        throw new LandfallError(
          'invalid',
          `${file}: holds the host ${profile.id}, so it must be called ${profile.id}.yaml`,
          { file },
        )
      }
      return profile
    }),
  )
  const sorted = profiles.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return [
    ...sorted.filter(({ control }) => control === undefined),
    ...sorted.filter(({ control }) => control !== undefined),
  ]
}
