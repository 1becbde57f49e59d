import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type HostProfile, LandfallError } from '@landfall/contracts'
import { parseHostProfile } from '@landfall/contracts/host-profile-file'
import { repositoryRoot } from './root.ts'

/** Our own profiles. */
export const shippedHosts = join(repositoryRoot, 'services/victim-host/hosts')

/**
 * The hosts of a run: ours and those of a user's folder, by id, controls last: the order of the matrix. A profile
 * of the user's replaces ours of the same id.
 *
 * @throws LandfallError `usage` when a folder cannot be read, holds no profile or one id twice, `invalid` with
 * file and line when a profile does not parse.
 */
export async function loadProfiles(hostsDir?: string): Promise<HostProfile[]> {
  const own = hostsDir === undefined ? [] : await readFolder(hostsDir)
  const ownIds = new Set(own.map(({ id }) => id))
  const shipped = (await readFolder(shippedHosts)).filter(({ id }) => !ownIds.has(id))
  const sorted = [...shipped, ...own].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return [
    ...sorted.filter(({ control }) => control === undefined),
    ...sorted.filter(({ control }) => control !== undefined),
  ]
}

/** @throws LandfallError as {@link loadProfiles} does. */
export async function readFolder(folder: string): Promise<HostProfile[]> {
  const path = resolve(folder)
  let names: string[]
  try {
    names = await readdir(path)
  } catch (cause) {
    throw new LandfallError('usage', `cannot read the host profiles in ${path}`, { path }, { cause })
  }
  const files = names.filter((name) => /\.ya?ml$/.test(name))
  const profiles = await Promise.all(files.map(async (name) => readProfile(join(path, name))))
  const twice = profiles.find(({ id }, index) => profiles.findIndex((other) => other.id === id) !== index)
  if (twice !== undefined) throw new LandfallError('usage', `two host profiles in ${path} have the id ${twice.id}`)
  if (profiles.length === 0) throw new LandfallError('usage', `no host profile (*.yaml) in ${path}`)
  return profiles
}

/** @throws LandfallError `usage` when the file cannot be read, `invalid` with `file:line:column` when it does not parse. */
export async function readProfile(file: string): Promise<HostProfile> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new LandfallError('usage', `cannot read the host profile ${file}`, { file }, { cause })
  }
  return parseHostProfile(text, file)
}
