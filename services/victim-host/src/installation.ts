import type { ArchiveFormat, HostProfile, InstallReport } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts/errors'
import type { InstallExit } from '@landfall/contracts/install-exit'
import { installExit } from '@landfall/contracts/install-exit'
import type { VictimLayout } from '@landfall/contracts/layout'
import { exitOf, exitOfAll } from './exit-code.ts'
import { fetchArchive, pickArchive, readIndex } from './fetch-skill.ts'
import type { ResourceReader } from './mcp/reader.ts'
import type { Narrator } from './narrator.ts'
import { emptyDestination, emptyStage, putInInbox } from './place.ts'
import { fillCommand, mentions } from './placeholders.ts'
import { shimsFolder } from './profiles.ts'
import { runStep } from './run-step.ts'
import type { OfferedArchive } from './skill-index.ts'

/** One installation: every skill in turn is fetched, put in the inbox and handed to the host. */
export interface Installation {
  readonly profile: HostProfile
  readonly layout: VictimLayout
  readonly reader: ResourceReader
  readonly tell: Pick<Narrator, 'fetched' | 'running' | 'ran' | 'failed'>
  /** Name of the victim's user. */
  readonly user: string
  /** Formats to consider, in the order of preference. */
  readonly formats: readonly ArchiveFormat[]
}

/**
 * @param report filled as it goes, so that a failure half-way still tells what was done.
 * @param names skills to install; without it, everything that the endpoint lists.
 * @returns the exit code. Only a defect of the lab throws.
 */
export async function runInstallation(
  job: Installation,
  report: InstallReport,
  names?: readonly string[],
): Promise<InstallExit> {
  const codes: InstallExit[] = []
  try {
    for (const skill of await readIndex(job.reader, names)) {
      const archive = pickArchive(skill, job.formats)
      if (archive === undefined) continue
      const code = await installOne(job, report, skill.name, archive)
      codes.push(code)
      // The next skill would meet the same end.
      if (code === installExit.hostMissing || code === installExit.timeout) break
    }
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error
    job.tell.failed(error.message)
    return error.code === 'digest' ? installExit.digestMismatch : installExit.fetchFailed
  }
  return codes.length === 0 ? installExit.nothingToInstall : exitOfAll(codes)
}

async function installOne(
  job: Installation,
  report: InstallReport,
  skill: string,
  archive: OfferedArchive,
): Promise<InstallExit> {
  const { profile, layout, reader, tell } = job
  const step = profile.install.find(({ format }) => format === archive.format)
  if (step === undefined) return installExit.nothingToInstall
  const bytes = await fetchArchive(reader, archive)
  const path = putInInbox(layout, skill, archive.format, bytes)
  const delivery = { uri: archive.uri, sha256: archive.sha256, bytes: bytes.length, path }
  report.deliveries.push(delivery)
  tell.fetched(skill, delivery)

  const dest = emptyDestination(layout, skill)
  report.dest.push(dest)
  const stage = mentions(step.run, 'stage') ? emptyStage(layout, skill) : ''
  const argv = fillCommand(step.run, { archive: path, dest, stage, skill, home: layout.home, shims: shimsFolder })
  return exitOf(await runStep(job, report, argv, step))
}
