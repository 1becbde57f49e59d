import { join } from 'node:path'
import { agentImages, type HostProfile, LandfallError } from '@landfall/contracts'
import { bringOwnImage, planOwnImage } from './own-image.ts'
import type { LabImage } from './preflight/images.ts'
import type { Say } from './preflight/say.ts'
import { readFolder, shippedHosts } from './profiles.ts'
import { repositoryRoot } from './root.ts'

/**
 * The images with real installers, on top of the victim. They are large, so each is built by the first run that asks
 * for a host of it, and never by set-up.
 */
export const agentsFolder = join(repositoryRoot, 'services/victim-host/agents')

export interface AgentsImageInputs {
  /** Those of the run. */
  readonly images: Readonly<Record<string, LabImage>>
  /** Hosts of the run, a user's own too. */
  readonly hosts: readonly Pick<HostProfile, 'id' | 'image' | 'needs'>[]
  /** Image of Node that everything here starts from. */
  readonly nodeImage: string
}

/** @throws LandfallError `usage` with the end of the build's output. */
export async function withAgents(
  { images, hosts, nodeImage }: AgentsImageInputs,
  say: Say,
): Promise<Readonly<Record<string, LabImage>>> {
  // A user's own victim stands before ours, which then has a name of its own.
  const base = images['victim-host-base'] ?? images['victim-host']
  if (base === undefined) return images
  let all = images
  for (const image of agentImages) {
    const meant = hosts.filter((host) => host.image === image)
    if (meant.length === 0) continue
    const more = morePackages(meant, await readFolder(shippedHosts))
    const args = { NODE_IMAGE: nodeImage, IMAGE: image, MORE_PACKAGES: more }
    const plan = await planOwnImage(agentsFolder, base, `landfall/${image}`, args)
    if (plan === undefined) throw new LandfallError('machine', `${agentsFolder} has no Dockerfile`)
    all = { ...all, [image]: await bringOwnImage(plan, say) }
  }
  return all
}

/** What hosts of a user's own need beside ours, as npm writes it. Pure. Profiles hold exact versions and nothing else. */
export function morePackages(
  hosts: readonly Pick<HostProfile, 'id' | 'needs'>[],
  shipped: readonly Pick<HostProfile, 'id'>[],
): string {
  const ours = new Set(shipped.map(({ id }) => id))
  const own = hosts.filter(({ id }) => !ours.has(id))
  const packages = own.flatMap(({ needs }) => Object.entries(needs.npm).map(([name, version]) => `${name}@${version}`))
  return [...new Set(packages)].toSorted().join(' ')
}
