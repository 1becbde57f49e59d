import type { AgentImage, HostProfile } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts/errors'

/** What an image must hold so that none of its hosts names a tool it lacks. Pure. */

/** The hosts of one image: of the usual one those that name none, of another those that name it. */
export function hostsOf(profiles: readonly HostProfile[], image?: string): HostProfile[] {
  return profiles.filter((profile) => profile.image === image)
}

/** Debian packages, sorted, each once. */
export function aptPackages(profiles: readonly HostProfile[]): string[] {
  return [...new Set(profiles.flatMap(({ needs }) => needs.apt))].toSorted()
}

/**
 * npm packages by the name that shims import.
 *
 * @throws LandfallError `invalid` when two hosts want different versions under one name.
 */
export function npmPackages(profiles: readonly HostProfile[]): Record<string, string> {
  const owners = new Map<string, { version: string; id: string }>()
  for (const { id, needs } of profiles) {
    for (const [name, version] of Object.entries(needs.npm)) {
      const other = owners.get(name)
      if (other !== undefined && other.version !== version) {
        const message = `${other.id} needs ${name} ${other.version}, ${id} needs ${version}: give one of them another name`
        throw new LandfallError('invalid', message, { name, hosts: [other.id, id] })
      }
      owners.set(name, { version, id })
    }
  }
  const sorted = [...owners].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, { version }]) => [name, version]))
}

/** The manifest of the shims, from which npm makes their lock file. */
export function shimsManifest(profiles: readonly HostProfile[]): string {
  const about = 'Extractors under test. Written from the host profiles; some are old on purpose.'
  return manifestOf('landfall-shims', about, hostsOf(profiles))
}

/** The same of an image with real installers. */
export function agentsManifest(profiles: readonly HostProfile[], image: AgentImage): string {
  const about = 'Installers under test. Written from the host profiles.'
  return manifestOf(`landfall-${image}`, about, hostsOf(profiles, image))
}

function manifestOf(name: string, description: string, hosts: readonly HostProfile[]): string {
  const manifest = { name, private: true, description, type: 'module', dependencies: npmPackages(hosts) }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}
