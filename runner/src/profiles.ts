import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type HostProfile, LandfallError } from '@landfall/contracts'
import { parseHostProfile } from '@landfall/contracts/host-profile-file'
import { repositoryRoot } from './root.ts'

/**
 * Reads every host profile of a folder, controls last: the order of the matrix.
 *
 * @throws LandfallError `usage` when the folder cannot be read or two profiles share an id, `invalid` with
 * file and line when a profile does not parse.
 */
export async function loadProfiles(
  folder: string = join(repositoryRoot, 'services/victim-host/hosts'),
): Promise<HostProfile[]> {
  const path = resolve(folder)
  let names: string[]
  try {
    names = await readdir(path)
  } catch (cause) {
    throw new LandfallError('usage', `cannot read the host profiles in ${path}`, { path }, { cause })
  }
  const files = names.filter((name) => /\.ya?ml$/.test(name))
  const profiles = await Promise.all(
    files.map(async (name) => parseHostProfile(await readFile(join(path, name), 'utf8'), join(path, name))),
  )
  const twice = profiles.find(({ id }, index) => profiles.findIndex((other) => other.id === id) !== index)
  if (twice !== undefined) throw new LandfallError('usage', `two host profiles in ${path} have the id ${twice.id}`)
  if (profiles.length === 0) throw new LandfallError('usage', `no host profile in ${path}`)
  const sorted = profiles.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return [
    ...sorted.filter(({ control }) => control === undefined),
    ...sorted.filter(({ control }) => control !== undefined),
  ]
}
