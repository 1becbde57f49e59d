import { createHash } from 'node:crypto'
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { evidencePath, type Observation } from '@landfall/contracts'
import PQueue from 'p-queue'

/**
 * Brings what the observer kept of a trial's files into the run's folder: `evidence/<sha256>`, once for all trials.
 * Bytes are held against their digest; they are the victim's, so nothing is made of them but a file of that name.
 */
export const evidenceFolder = 'evidence'

const atOnce = 4
const limitMs = 30_000

/**
 * Answers the observation as it is to be written: content that could not be fetched any more is not claimed.
 *
 * @throws Error when the folder cannot be written to.
 */
export async function fetchEvidence(
  observation: Observation,
  observerUrl: string,
  runFolder: string,
): Promise<Observation> {
  const folder = join(runFolder, evidenceFolder)
  const { stored } = observation.evidence
  if (stored.length > 0) await mkdir(folder, { recursive: true })
  const queue = new PQueue({ concurrency: atOnce })
  const fetched = await queue.addAll(
    stored.map(({ sha256 }) => async () => {
      const file = join(folder, sha256)
      if (await exists(file)) return true
      const bytes = await download(new URL(evidencePath(sha256), observerUrl))
      if (bytes === undefined || createHash('sha256').update(bytes).digest('hex') !== sha256) return false
      // Two trials may bring the same content at the same time.
      const fresh = `${file}.${crypto.randomUUID()}`
      await writeFile(fresh, bytes)
      await rename(fresh, file)
      return true
    }),
  )
  const lost = new Set(stored.filter((_, index) => fetched[index] !== true).map(({ sha256 }) => sha256))
  return lost.size === 0 ? observation : withoutLost(observation, lost)
}

function withoutLost(observation: Observation, lost: ReadonlySet<string>): Observation {
  const { evidence, changes } = observation
  const paths = changes.flatMap(({ path, after }) => {
    const isLost = after?.sha256 !== undefined && lost.has(after.sha256)
    return isLost ? [{ path, size: after.size, reason: 'failed' as const }] : []
  })
  return {
    ...observation,
    evidence: {
      ...evidence,
      stored: evidence.stored.filter(({ sha256 }) => !lost.has(sha256)),
      notStored: [...evidence.notStored, ...paths],
    },
  }
}

async function download(url: URL): Promise<Buffer | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) })
    return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined
  } catch {
    return undefined
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
