import { join } from 'node:path'
import { type HostProfile, LandfallError } from '@landfall/contracts'
import { bringOwnImage, planOwnImage } from './own-image.ts'
import type { LabImage } from './preflight/images.ts'
import type { Say } from './preflight/say.ts'
import { readFolder, shippedHosts } from './profiles.ts'
import { repositoryRoot } from './root.ts'

/**
 * The image with the real installers, on top of the victim. It is large, so it is built by the first run that asks for
 * a host of it, and never by set-up.
 */
export const agentsImage = 'victim-agents'
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
  const meant = hosts.filter(({ image }) => image === agentsImage)
  if (base === undefined || meant.length === 0) return images
  const args = { NODE_IMAGE: nodeImage, MORE_PACKAGES: morePackages(meant, await readFolder(shippedHosts)) }
  const plan = await planOwnImage(agentsFolder, base, `landfall/${agentsImage}`, args)
  if (plan === undefined) throw new LandfallError('machine', `${agentsFolder} has no Dockerfile`)
  return { ...images, [agentsImage]: await bringOwnImage(plan, say) }
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
