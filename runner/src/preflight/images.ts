/** Builds the lab's images, when their inputs differ from those of the images that are there. */
import { mkdir, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { LandfallError } from '@landfall/contracts'
import { z } from 'zod'
import { hashBuildInputs, type Build } from './build-inputs.ts'
import { localImage } from './docker-images.ts'
import { exec } from './exec.ts'
import { seconds, type Say } from './say.ts'

const inputsLabel = 'dev.landfall.inputs'

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string().optional(),
      build: z
        .object({
          context: z.string(),
          dockerfile: z.string().default('Dockerfile'),
          args: z.record(z.string(), z.string().nullable()).nullish(),
          target: z.string().optional(),
        })
        .optional(),
    }),
  ),
})

export interface LabBuild extends Build {
  readonly service: string
  readonly image: string
}

export interface LabImage {
  readonly image: string
  readonly id: string
}

/** The builds that `compose.yaml` describes. @throws LandfallError `invalid` when compose cannot read it. */
export async function readLabBuilds(root: string): Promise<LabBuild[]> {
  const { ok, stdout, why } = await compose(root, ['config', '--format', 'json'])
  if (!ok) throw new LandfallError('invalid', `compose.yaml cannot be read: ${why}`)
  const builds: LabBuild[] = []
  for (const [service, { image, build }] of Object.entries(composeSchema.parse(JSON.parse(stdout)).services)) {
    if (!build) continue
    if (image === undefined) throw new LandfallError('invalid', `compose.yaml gives service ${service} no image name`)
    const { context } = build
    const dockerfile = isAbsolute(build.dockerfile) ? relative(context, build.dockerfile) : build.dockerfile
    builds.push({ service, image, context, dockerfile, args: build.args ?? {}, target: build.target })
  }
  return builds
}

export interface Stale extends LabBuild {
  readonly hash: string
}

/** Splits the builds into those whose image is up to date and those that have to be built. */
export async function compareImages(builds: readonly LabBuild[], baseId: string) {
  const current: Record<string, LabImage> = {}
  const stale: Stale[] = []
  await Promise.all(
    builds.map(async (build) => {
      const [hash, image] = await Promise.all([hashBuildInputs(build, baseId), localImage(build.image)])
      if (image?.labels[inputsLabel] === hash) current[build.service] = { image: build.image, id: image.id }
      else stale.push({ ...build, hash })
    }),
  )
  return { current, stale: stale.toSorted((a, b) => a.service.localeCompare(b.service)) }
}

/** The caller holds the machine's set-up lock. @throws LandfallError `machine` with the end of the build's output. */
export async function buildImages(root: string, stale: readonly Stale[], context: string, say: Say): Promise<void> {
  const folder = join(root, '.landfall')
  const logPath = join(folder, 'build.log')
  const overridePath = join(folder, 'build.json')
  await mkdir(folder, { recursive: true })
  // The hash is not for people to set, so it stands in no compose file of theirs.
  const labels = stale.map(({ service, hash }) => [service, { build: { labels: { [inputsLabel]: hash } } }] as const)
  await writeFile(overridePath, JSON.stringify({ services: Object.fromEntries(labels) }))
  const names = stale.map(({ service }) => service)
  say(
    `building ${names.length === 1 ? 'the image' : 'the images'} of ${names.join(', ')} (output: ${relative(root, logPath)})`,
  )
  const began = Date.now()
  const args = ['-f', 'compose.yaml', '-f', overridePath, 'build', ...names]
  // A builder that somebody made the default may not see this engine's local images.
  const outcome = await compose(root, args, { BUILDKIT_PROGRESS: 'plain', BUILDX_BUILDER: context })
  const log = `${outcome.stdout}\n${outcome.stderr}`.trim()
  await writeFile(logPath, `${log}\n`)
  if (!outcome.ok) {
    const end = log
      .split('\n')
      .slice(-20)
      .map((line) => `  ${line}`)
    throw new LandfallError('machine', `an image of the lab could not be built:\n${end.join('\n')}`, { log: logPath })
  }
  say(`built ${names.join(', ')} in ${seconds(Date.now() - began)}`)
  // Only our own, and none that a run under way may still start victims from.
  await exec('docker', ['image', 'prune', '--force', '--filter', `label=${inputsLabel}`, '--filter', 'until=24h'])
}

function compose(root: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return exec('docker', ['compose', ...args], { cwd: root, env: { COMPOSE_PROFILES: '*', ...env } })
}
