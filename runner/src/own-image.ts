import { join, resolve } from 'node:path'
import { access } from 'node:fs/promises'
import { LandfallError } from '@landfall/contracts'
import { hashBuildInputs } from './preflight/build-inputs.ts'
import { localImage } from './preflight/docker-images.ts'
import { exec } from './preflight/exec.ts'
import type { LabImage } from './preflight/images.ts'
import type { Say } from './preflight/say.ts'

/**
 * The victim's image of a user's folder of hosts: their Dockerfile on top of ours. Without a Dockerfile the folder
 * needs none, and ours is used as it is.
 *
 * The Dockerfile begins with `ARG LANDFALL_VICTIM` and `FROM ${LANDFALL_VICTIM}`.
 */
const inputsLabel = 'dev.landfall.inputs'

export interface OwnImagePlan {
  readonly folder: string
  /** Name of the image, which tells of what it is made. */
  readonly name: string
  /** Arguments of the build, besides the one that names our victim. */
  readonly args: Readonly<Record<string, string>>
  readonly base: LabImage
}

/**
 * @param repository of the image's name.
 * @returns undefined when the folder has no Dockerfile.
 */
export async function planOwnImage(
  hostsDir: string,
  base: LabImage,
  repository = 'landfall/victim-own',
  args: Readonly<Record<string, string>> = {},
): Promise<OwnImagePlan | undefined> {
  const folder = resolve(hostsDir)
  const found = await access(join(folder, 'Dockerfile')).then(
    () => true,
    () => false,
  )
  if (!found) return undefined
  const build = { context: folder, dockerfile: 'Dockerfile', args, target: undefined }
  const hash = await hashBuildInputs(build, base.id)
  return { folder, name: `${repository}:${hash.slice(0, 16)}`, args, base }
}

/** Builds the image unless it is there. @throws LandfallError `usage` with the end of the build's output. */
export async function bringOwnImage(plan: OwnImagePlan, say: Say): Promise<LabImage> {
  const { folder, name, base, args: own } = plan
  const present = await localImage(name)
  if (present !== undefined) return { image: name, id: present.id }
  say(`building the victim of ${folder} as ${name}; this is done once`)
  // A name of its own: that of the base may point to another image before the build looks at it.
  const baseName = `landfall/victim-base:${base.id.replace('sha256:', '').slice(0, 16)}`
  const tagged = await exec('docker', ['tag', base.id, baseName])
  if (!tagged.ok) throw new LandfallError('engine', `the victim's image cannot be named: ${tagged.why}`)
  const given = Object.entries({ ...own, LANDFALL_VICTIM: baseName })
  const buildArgs = given.flatMap(([key, value]) => ['--build-arg', `${key}=${value}`])
  const args = [...buildArgs, '--label', `${inputsLabel}=${name}`, '--tag', name]
  const built = await exec('docker', ['build', ...args, folder], { env: { BUILDKIT_PROGRESS: 'plain' } })
  if (!built.ok) {
    const end = `${built.stdout}\n${built.stderr}`.trim().split('\n').slice(-15)
    throw new LandfallError(
      'usage',
      `${join(folder, 'Dockerfile')} could not be built:\n${end.map((line) => `  ${line}`).join('\n')}`,
      { folder },
    )
  }
  const image = await localImage(name)
  if (image === undefined) throw new LandfallError('engine', `the engine built ${name} and does not have it`)
  return { image: name, id: image.id }
}

/** The images of a run with the victim of `hostsDir` in the place of ours; ours stays on record. */
export async function withOwnVictim(
  images: Readonly<Record<string, LabImage>>,
  hostsDir: string | undefined,
  say: Say,
): Promise<Readonly<Record<string, LabImage>>> {
  const base = images['victim-host']
  if (hostsDir === undefined || base === undefined) return images
  const plan = await planOwnImage(hostsDir, base)
  if (plan === undefined) return images
  return { ...images, 'victim-host': await bringOwnImage(plan, say), 'victim-host-base': base }
}
