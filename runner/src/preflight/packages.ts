/** Decides which packages of the distribution bring an engine. Pure; `apt.ts` does it. */
import { majorOf, type PackagePolicy } from './apt-policy.ts'
import type { OsRelease } from './os-release.ts'

export type Component = 'client' | 'daemon' | 'compose' | 'buildx'

export interface PackageChoice {
  readonly packages: readonly string[]
  /** A suite that has to be added first, for a distribution whose own compose is still version 1. */
  readonly suite: string | undefined
}

/** Every package whose policy `choosePackages` wants to see. */
export const consideredPackages = [
  'docker.io',
  'docker-cli',
  'docker-compose',
  'docker-compose-v2',
  'docker-compose-plugin',
  'docker-buildx',
  'docker-buildx-plugin',
]

export function hasAptPackages(os: OsRelease): boolean {
  return [os.id, ...os.like].some((name) => name === 'debian' || name === 'ubuntu')
}

/** @returns undefined when the distribution has no packages that would do. */
export function choosePackages(
  missing: readonly Component[],
  os: OsRelease,
  policies: ReadonlyMap<string, PackagePolicy>,
): PackageChoice | undefined {
  // Bookworm's own engine would do, but not together with the newer suite's client and compose: all or nothing.
  const needsNewerSuite =
    os.id === 'debian' && os.codename === 'bookworm' && policies.get('docker-compose-plugin')?.candidate === undefined
  if (!needsNewerSuite) {
    const own = chooseOwn(missing, policies)
    return own && { packages: own, suite: undefined }
  }
  const names = missing.includes('daemon') ? ['docker.io', 'docker-cli', 'docker-compose', 'docker-buildx'] : []
  if (missing.includes('client')) names.push('docker-cli')
  if (missing.includes('compose')) names.push('docker-compose')
  if (missing.includes('buildx')) names.push('docker-buildx')
  return { packages: [...new Set(names)].map((name) => `${name}/trixie`), suite: 'trixie' }
}

function chooseOwn(
  missing: readonly Component[],
  policies: ReadonlyMap<string, PackagePolicy>,
): readonly string[] | undefined {
  const has = (name: string) => policies.get(name)?.candidate !== undefined
  const compose = policies.get('docker-compose')?.candidate
  // Ubuntu and older Debian ship the client inside docker.io.
  const client = has('docker-cli') ? 'docker-cli' : has('docker.io') ? 'docker.io' : undefined
  const choice: Record<Component, string | undefined> = {
    client,
    daemon: has('docker.io') ? 'docker.io' : undefined,
    compose:
      ['docker-compose-plugin', 'docker-compose-v2'].find(has) ??
      (compose !== undefined && majorOf(compose) >= 2 ? 'docker-compose' : undefined),
    buildx: ['docker-buildx-plugin', 'docker-buildx'].find(has),
  }
  const names = missing.map((component) => choice[component]).filter((name) => name !== undefined)
  return names.length < missing.length ? undefined : [...new Set(names)]
}
