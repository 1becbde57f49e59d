import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readProfileFolder } from '../profile-folder.ts'
import { hostsFolder, shimsFolder } from '../profiles.ts'
import { shimsManifest } from './needs.ts'

/** Run by hand after a change of `needs.npm`; then `npm install --package-lock-only` in `shims/`. */
await writeFile(join(shimsFolder, 'package.json'), shimsManifest(await readProfileFolder(hostsFolder)))
