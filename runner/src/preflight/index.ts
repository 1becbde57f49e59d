/**
 * Set-up: brings what the lab needs and is missing, says each thing it does, and nothing else.
 *
 * Decides nothing about trials, and never touches an engine that answers.
 */
import { existsSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { bringBaseImage, defaultBaseImage, findBaseImage, type BaseImage } from './base-image.ts'
import { probeEngine, type EngineFacts } from './engine-facts.ts'
import { bringEngine, readyEngine, type ReadyEngine } from './engine.ts'
import { buildImages, compareImages, readLabBuilds, type LabBuild, type LabImage } from './images.ts'
import { withLock } from './lock.mjs'
import { checkRoom, minimumFreeBytes } from './room.ts'
import { sayOnStderr, type Say } from './say.ts'
import { testcontainersEnvironment } from './testcontainers-env.ts'

export interface PreflightOptions {
  /** The checkout: the folder that holds `compose.yaml`. */
  readonly root: string
  readonly say?: Say
}

export interface PreflightReport {
  readonly engine: ReadyEngine
  readonly baseImage: BaseImage
  /** By service of `compose.yaml`. The ids stay valid when another checkout builds under the same names. */
  readonly images: Readonly<Record<string, LabImage>>
  /** What was done; empty when there was nothing to do. */
  readonly done: readonly string[]
}

/**
 * Also sets the variables of this process that testcontainers needs.
 *
 * @throws LandfallError `engine` (none, and none may be brought) or `machine` (no room, a build that fails).
 */
export async function preflight({ root, say = sayOnStderr }: PreflightOptions): Promise<PreflightReport> {
  const done: string[] = []
  const note: Say = (line) => {
    done.push(line)
    say(line)
  }
  const facts = await probeEngine()
  await checkRoomFor(root, facts)
  const engine = readyEngine(facts) ?? (await alone(say, () => bringEngine(note)))
  const host = { looksLikeContainer: existsSync('/.dockerenv'), hostname: hostname() }
  Object.assign(process.env, testcontainersEnvironment(engine, host, process.env))

  const builds = await readLabBuilds(root)
  const baseName = builds.map(({ args }) => args['NODE_IMAGE']).find(Boolean) ?? defaultBaseImage
  const baseImage = (await findBaseImage(baseName)) ?? (await alone(say, () => bringBaseImage(baseName, root, note)))
  const images = await upToDate(root, builds, baseImage, engine, say, note)
  if (done.length === 0) say(`nothing to do (${summary(engine, baseImage)})`)
  else say(`done (${summary(engine, baseImage)})`)
  return { engine, baseImage, images, done }
}

async function upToDate(
  root: string,
  builds: readonly LabBuild[],
  base: BaseImage,
  engine: ReadyEngine,
  say: Say,
  note: Say,
): Promise<Readonly<Record<string, LabImage>>> {
  const found = await compareImages(builds, base.id)
  if (found.stale.length === 0) return found.current
  await alone(say, async () => {
    const { stale } = await compareImages(builds, base.id)
    if (stale.length > 0) await buildImages(root, stale, engine.endpoint.context, note)
  })
  return (await compareImages(builds, base.id)).current
}

async function checkRoomFor(root: string, { endpoint, running }: EngineFacts): Promise<void> {
  const folders: Record<string, string> = { 'this checkout': root }
  // The disk of an engine elsewhere cannot be seen from here.
  if (endpoint.host.startsWith('unix:')) folders["the engine's folder"] = running?.rootFolder ?? '/var/lib/docker'
  await checkRoom(folders, minimumFreeBytes())
}

/** The engine belongs to the machine, so one set-up at a time works on it, whichever checkout it was started in. */
function alone<T>(say: Say, work: () => Promise<T>): Promise<T> {
  const uid = process.getuid?.() ?? 0
  const path =
    uid === 0 && existsSync('/run') ? '/run/landfall-setup.lock' : join(tmpdir(), `landfall-setup-${uid}.lock`)
  return withLock(path, work, { onWait: (pid) => say(`waiting for another set-up on this machine (process ${pid})`) })
}

function summary(engine: ReadyEngine, base: BaseImage): string {
  const version = (text: string, parts: number) => /\d+(\.\d+)*/.exec(text)?.[0].split('.').slice(0, parts).join('.')
  const parts = [`engine ${version(engine.version, 3)}`, `compose ${version(engine.compose, 2)}`]
  return [...parts, `base image ${base.origin}`, 'images up to date'].join(', ')
}
