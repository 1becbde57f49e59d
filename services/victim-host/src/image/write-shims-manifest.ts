import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentImages } from '@landfall/contracts'
import { readProfileFolder } from '../profile-folder.ts'
import { agentsFolder, hostsFolder, shimsFolder } from '../profiles.ts'
import { agentsManifest, shimsManifest } from './needs.ts'

/** Run by hand after a change of `needs.npm`; then `npm install --package-lock-only` in `shims/` and in each folder of `agents/`. */
const profiles = await readProfileFolder(hostsFolder)
await writeFile(join(shimsFolder, 'package.json'), shimsManifest(profiles))
for (const image of agentImages)
  await writeFile(join(agentsFolder, image, 'package.json'), agentsManifest(profiles, image))
