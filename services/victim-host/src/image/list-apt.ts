import { readProfileFolder } from '../profile-folder.ts'
import { hostsFolder } from '../profiles.ts'
import { aptPackages, hostsOf } from './needs.ts'

/** Run while the image is built: the Debian packages of its hosts, one a line. */
process.stdout.write(`${aptPackages(hostsOf(await readProfileFolder(hostsFolder))).join('\n')}\n`)
