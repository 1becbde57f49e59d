import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { LandfallError } from '@landfall/contracts'
import type Dockerode from 'dockerode'
import prettyBytes from 'pretty-bytes'
import { z } from 'zod'

const defaultMinimumGiB = 3

/** @throws LandfallError `usage` when LANDFALL_MIN_FREE_GB is not a number. */
export function minimumFreeBytes(env: NodeJS.ProcessEnv = process.env): number {
  const text = env['LANDFALL_MIN_FREE_GB'] ?? ''
  const gib = text === '' ? defaultMinimumGiB : Number(text)
  if (!Number.isFinite(gib) || gib < 0) {
    throw new LandfallError('usage', `LANDFALL_MIN_FREE_GB is '${text}', expected a number of GiB such as 3`)
  }
  return gib * 2 ** 30
}

/** Free bytes for this user in the file system that holds, or would hold, `folder`. */
export async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    const parent = dirname(folder)
    if (parent === folder) throw error
    return freeBytes(parent)
  }
}

/** @throws LandfallError `machine`, before anything starts, rather than a full disk in the middle. */
export async function checkRoom(folders: Readonly<Record<string, string>>, minimum: number): Promise<void> {
  for (const [what, folder] of Object.entries(folders)) {
    const free = await freeBytes(folder)
    if (free >= minimum) continue
    const message =
      `not enough disk room in ${what} (${folder}): ${binary(free)} free, ${binary(minimum)} needed. ` +
      'Free some, or set LANDFALL_MIN_FREE_GB.'
    throw new LandfallError('machine', message, { folder, free, minimum })
  }
}

/** The same check for a run, whose results may lie on another disk than the checkout. */
export async function requireRoom(engine: Dockerode, results: string): Promise<void> {
  const folders: Record<string, string> = { 'the results folder': results }
  const { Name, DockerRootDir } = engineInfo.parse(await engine.info())
  // The disk of an engine elsewhere cannot be seen from here.
  if (Name === hostname()) folders["the engine's folder"] = DockerRootDir
  await checkRoom(folders, minimumFreeBytes())
}

const engineInfo = z.object({ Name: z.string(), DockerRootDir: z.string() })

function binary(bytes: number): string {
  return prettyBytes(bytes, { binary: true })
}
