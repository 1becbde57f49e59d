import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readProfileFolder } from '../profile-folder.ts'
import { agentsFolder, hostsFolder, shimsFolder } from '../profiles.ts'
import { agentsManifest, shimsManifest } from './needs.ts'

/** Run by hand after a change of `needs.npm`; then `npm install --package-lock-only` in `shims/` and in `agents/`. */
const profiles = await readProfileFolder(hostsFolder)
await writeFile(join(shimsFolder, 'package.json'), shimsManifest(profiles))
await writeFile(join(agentsFolder, 'package.json'), agentsManifest(profiles))
