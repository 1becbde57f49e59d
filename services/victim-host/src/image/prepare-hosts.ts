import { writeFileSync } from 'node:fs'
import { askVersions } from '../commands/hosts.ts'
import { readProfileFolder } from '../profile-folder.ts'
import { hostsFolder, preparedFile } from '../profiles.ts'
import { hostsOf } from './needs.ts'

/**
 * Run while the image is built: checks every host profile and writes them, with the versions that this image
 * has, where `landfall-host` finds them. An image on top of the usual one is named as an argument.
 */
const [image] = process.argv.slice(2)
const profiles = await readProfileFolder(hostsFolder)
const hosts = await askVersions([...hostsOf(profiles), ...(image === undefined ? [] : hostsOf(profiles, image))])
const missing = hosts.filter(({ version }) => version.startsWith('unknown') || version.startsWith('spawn '))
if (missing.length > 0)
  throw new Error(`no version of: ${missing.map(({ profile, version }) => `${profile.id} (${version})`).join(', ')}`)
writeFileSync(preparedFile, `${JSON.stringify(hosts)}\n`)
for (const { profile, version } of hosts) process.stdout.write(`${profile.id}: ${version}\n`)
