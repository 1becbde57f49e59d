import { join } from 'node:path'
import { type HostProfile, LandfallError } from '@landfall/contracts'
import { bringOwnImage, planOwnImage } from './own-image.ts'
import type { LabImage } from './preflight/images.ts'
import type { Say } from './preflight/say.ts'
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
  /** Hosts of the run. */
  readonly hosts: readonly Pick<HostProfile, 'image'>[]
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
  if (base === undefined || hosts.every(({ image }) => image !== agentsImage)) return images
  const plan = await planOwnImage(agentsFolder, base, `landfall/${agentsImage}`, { NODE_IMAGE: nodeImage, ...optIn() })
  if (plan === undefined) throw new LandfallError('machine', `${agentsFolder} has no Dockerfile`)
  return { ...images, [agentsImage]: await bringOwnImage(plan, say) }
}

/** Claude Code is not free software: it is only installed where the user asks for it, and never passed on. */
function optIn(): Record<string, string> {
  const wanted = process.env['LANDFALL_WITH_CLAUDE_CODE'] ?? ''
  return wanted === '' || wanted === '0' ? {} : { WITH_CLAUDE_CODE: '1' }
}
