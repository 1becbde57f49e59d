/** Installs packages of the distribution, patiently: somebody else may be at it, or may have been interrupted. */
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LandfallError } from '@landfall/contracts'
import { parseAptPolicy, parseSimulatedChanges, type PackagePolicy } from './apt-policy.ts'
import { pinForSuite, sourcesForSuite } from './apt-sources.ts'
import { exec, type Outcome } from './exec.ts'
import type { Say } from './say.ts'

const patienceMs = 10 * 60_000
const quiet = { DEBIAN_FRONTEND: 'noninteractive', APT_LISTCHANGES_FRONTEND: 'none', NEEDRESTART_SUSPEND: '1' }

export async function aptPolicies(names: readonly string[]): Promise<Map<string, PackagePolicy>> {
  const { stdout } = await exec('apt-cache', ['policy', ...names])
  return parseAptPolicy(stdout)
}

export async function aptUpdate(say: Say): Promise<void> {
  const outcome = await patiently(say, () => exec('apt-get', ['update', '-q'], { env: quiet }))
  if (!outcome.ok)
    throw new LandfallError('machine', `apt-get update failed: ${outcome.why}`, { stderr: outcome.stderr })
}

/** @param untouchable packages that must stay as they are; an install that would change one is refused. */
export async function aptInstall(names: readonly string[], say: Say, untouchable: readonly string[] = []) {
  const install = ['install', '-y', '-q', '--no-install-recommends', ...names]
  if (untouchable.length > 0) {
    const { stdout } = await exec('apt-get', ['--simulate', ...install], { env: quiet })
    const hit = parseSimulatedChanges(stdout).filter((name) => untouchable.includes(name))
    if (hit.length > 0) {
      const what = `installing ${names.join(', ')} would also change ${hit.join(', ')} of the engine in use`
      throw new LandfallError(
        'engine',
        `${what}. Do it by hand when the engine can be restarted: apt-get install ${names.join(' ')}`,
      )
    }
  }
  const args = ['-o', `DPkg::Lock::Timeout=${patienceMs / 1000}`, ...install]
  const attempt = () => exec('apt-get', args, { env: quiet, onLine: sayWaiting(say) })
  let outcome = await patiently(say, attempt)
  if (!outcome.ok && /dpkg was interrupted/.test(outcome.stderr)) {
    say('an earlier package installation was interrupted; finishing it first (dpkg --configure -a)')
    await exec('dpkg', ['--configure', '-a'], { env: quiet })
    outcome = await patiently(say, attempt)
  }
  if (!outcome.ok) {
    const message = `apt-get could not install ${names.join(', ')}: ${outcome.why}`
    throw new LandfallError('machine', message, { stderr: outcome.stderr })
  }
}

/** Makes `suite` known beside the machine's own one, pinned so that nothing moves to it by itself. */
export async function addSuite(codename: string, suite: string, say: Say): Promise<void> {
  const sources = sourcesForSuite(await readAllSources(), codename, suite)
  if (sources === undefined) {
    const message = `no package source for ${codename} was found in /etc/apt, so ${suite} cannot be added beside it`
    throw new LandfallError('machine', message)
  }
  say(
    `adding the Debian suite ${suite} beside ${codename}, pinned at 100 (/etc/apt/sources.list.d/landfall-${suite}.sources)`,
  )
  await writeFile(`/etc/apt/preferences.d/landfall-${suite}`, pinForSuite(suite))
  await writeFile(`/etc/apt/sources.list.d/landfall-${suite}.sources`, sources)
}

async function readAllSources(): Promise<string[]> {
  const folder = '/etc/apt/sources.list.d'
  const names = (await readdir(folder)).filter(
    (name) => /\.(sources|list)$/.test(name) && !name.startsWith('landfall-'),
  )
  const paths = [...names.toSorted().map((name) => join(folder, name)), '/etc/apt/sources.list']
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')))
  return texts.filter((text) => text !== '')
}

/** apt waits for dpkg's lock by itself, but not for the lock of the package lists. */
async function patiently(say: Say, attempt: () => Promise<Outcome>): Promise<Outcome> {
  const deadline = Date.now() + patienceMs
  const waiting = sayWaiting(say)
  for (;;) {
    const outcome = await attempt()
    const locked = /Could not get lock.*/.exec(outcome.stderr)?.[0]
    if (outcome.ok || locked === undefined || Date.now() > deadline) return outcome
    waiting(locked)
    await sleep(2_000)
  }
}

function sayWaiting(say: Say): (line: string) => void {
  let told = false
  return (line) => {
    const holder = /Could not get lock (\S+?)\.? .*held by (process \d+ \([^)]*\))/.exec(line)
    if (told || !holder) return
    told = true
    say(`waiting for another package manager: ${holder[2]} holds ${holder[1]}`)
  }
}
