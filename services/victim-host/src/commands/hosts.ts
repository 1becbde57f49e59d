import { victimLayout } from '@landfall/contracts/layout'
import { HostProfile, parseAs } from '@landfall/contracts'
import { z } from 'zod'
import { readProfileFolder } from '../profile-folder.ts'
import { fillCommand } from '../placeholders.ts'
import type { KnownHost } from '../profiles.ts'
import { hostsFolder, preparedHosts, shimsFolder } from '../profiles.ts'
import { hostEnvironment, runHost } from '../run-host.ts'
import { table } from './table.ts'

/** `landfall-host hosts`: every profile together with the version that its command prints here and now. */
export async function hosts(json: boolean, given?: string): Promise<void> {
  const list =
    given === undefined ? await profiles() : parseAs(z.array(HostProfile), JSON.parse(given), 'the list of profiles')
  const known = await askVersions(list)
  if (json) process.stdout.write(`${JSON.stringify(known.map(({ profile, version }) => ({ ...profile, version })))}\n`)
  else
    process.stdout.write(
      table(
        ['host', 'version'],
        known.map(({ profile, version }) => [profile.id, version]),
      ),
    )
}

/** In a victim the prepared profiles, elsewhere the YAML files. */
export async function profiles(): Promise<HostProfile[]> {
  return preparedHosts()?.map(({ profile }) => profile) ?? (await readProfileFolder(hostsFolder))
}

export async function askVersions(list: readonly HostProfile[]): Promise<KnownHost[]> {
  const known: KnownHost[] = []
  // A few at a time: all at once would run into their limits on a busy machine.
  for (let index = 0; index < list.length; index += atOnce) {
    const some = list.slice(index, index + atOnce)
    known.push(...(await Promise.all(some.map(async (profile) => ({ profile, version: await askVersion(profile) })))))
  }
  return known
}

const atOnce = 4
/** The largest of the real installers needs seconds, and many more on a busy machine. */
const versionLimitMs = 60_000

/** First line that the version command prints that is not empty, or what kept it from printing one. */
async function askVersion(profile: HostProfile): Promise<string> {
  const { home } = victimLayout(process.getuid?.() === 0 ? 'root' : 'agent')
  const argv = fillCommand(profile.version, { home, shims: shimsFolder })
  const env = hostEnvironment(home, 'agent', profile.env)
  const { output, exitCode } = await runHost({ argv, cwd: '/', env, timeoutMs: versionLimitMs })
  const line = output
    .split('\n')
    .map((text) => text.trim())
    .find((text) => text !== '')
  return line ?? `unknown (exit code ${String(exitCode)})`
}
