import type { HostProfile, InstallReport } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts/errors'
import type { InstallExit } from '@landfall/contracts/install-exit'
import { installExit } from '@landfall/contracts/install-exit'
import type { VictimLayout } from '@landfall/contracts/layout'
import { environment, victimLayout } from '@landfall/contracts/layout'
import { exitOf, exitOfAll } from './exit-code.ts'
import { fetchArchive, pickArchive, readIndex } from './fetch-skill.ts'
import type { ResourceReader } from './mcp/reader.ts'
import { openReader } from './mcp/reader.ts'
import { narrator } from './narrator.ts'
import type { Narrator } from './narrator.ts'
import { emptyDestination, emptyStage, putInInbox } from './place.ts'
import { fillCommand, mentions } from './placeholders.ts'
import type { KnownHost } from './profiles.ts'
import { preparedHosts, shimsFolder } from './profiles.ts'
import { hostEnvironment, runHost } from './run-host.ts'
import type { OfferedArchive } from './skill-index.ts'

/**
 * `landfall-host install`: brings the skills over MCP and runs the host on each, in turn.
 *
 * Everything that only a mistake needs is loaded when the mistake is made.
 */
export interface InstallRequest {
  readonly host: string
  /** Install the skills of this row of the catalogue; without it, everything that the endpoint lists. */
  readonly fixture?: string
  readonly url?: string
  /** Only this archive format. */
  readonly format?: string
  readonly json: boolean
}

export const defaultUrl = 'http://skills-server:3940/mcp'

export async function install(request: InstallRequest): Promise<InstallExit> {
  const hosts = preparedHosts()
  if (hosts === undefined) throw new LandfallError('usage', 'skills are installed in a victim only, and this is none')
  const host = hosts.find(({ profile }) => profile.id === request.host)
  if (host === undefined) {
    const { unknownName } = await import('./unknown-name.ts')
    throw unknownName('host', request.host, hosts.map(({ profile }) => profile.id))
  }
  const skills = request.fixture === undefined ? undefined : await skillsOf(request.fixture)
  const endpoint = parseUrl(request.url ?? process.env[environment.mcpUrl] ?? defaultUrl)
  const user = process.getuid?.() === 0 ? 'root' : 'agent'
  const layout = victimLayout(user)
  const job = { host, layout, reader: openReader(endpoint), tell: narrator(request.json), user }
  job.tell.starting(endpoint.href, host)
  const formats = host.profile.install.map(({ format }) => format).filter((format) => format === (request.format ?? format))
  const report: InstallReport = { host: host.profile.id, version: host.version, dest: [], deliveries: [], steps: [] }
  const code = await installAll(job, report, formats, skills)
  job.tell.finished(code, report)
  return code
}

interface Job {
  readonly host: KnownHost
  readonly layout: VictimLayout
  readonly reader: ResourceReader
  readonly tell: Narrator
  readonly user: string
}

/** Fills `report` as it goes, so that a failure half-way still reports what was done. */
async function installAll(
  job: Job,
  report: InstallReport,
  formats: readonly HostProfile['install'][number]['format'][],
  names: readonly string[] | undefined,
): Promise<InstallExit> {
  const codes: InstallExit[] = []
  try {
    for (const skill of await readIndex(job.reader, names)) {
      const archive = pickArchive(skill, formats)
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

async function installOne(job: Job, report: InstallReport, skill: string, archive: OfferedArchive): Promise<InstallExit> {
  const { host, layout, reader, tell, user } = job
  const step = host.profile.install.find(({ format }) => format === archive.format)
  if (step === undefined) return installExit.nothingToInstall
  const bytes = await fetchArchive(reader, archive)
  const path = putInInbox(layout, skill, archive.format, bytes)
  const delivery = { uri: archive.uri, sha256: archive.sha256, bytes: bytes.length, path }
  report.deliveries.push(delivery)
  tell.fetched(skill, delivery)

  const dest = emptyDestination(layout, skill)
  report.dest.push(dest)
  const stage = mentions(step.run, 'stage') ? emptyStage(layout, skill) : ''
  const argv = fillCommand(step.run, { archive: path, dest, stage, home: layout.home, shims: shimsFolder })
  tell.running(argv)
  // The user's project is the working directory, so that what a host writes to a relative path by mistake is seen as an escape.
  const env = hostEnvironment(layout.home, user, host.profile.env)
  const ran = await runHost({ argv, cwd: layout.workspace, env, timeoutMs: step.timeoutSeconds * 1000 })
  report.steps.push(ran)
  tell.ran(ran)
  return exitOf(ran)
}

async function skillsOf(fixture: string): Promise<readonly string[]> {
  const { findFixture, fixtures } = await import('@landfall/catalog')
  const row = findFixture(fixture)
  if (row !== undefined) return row.skills
  const { unknownName } = await import('./unknown-name.ts')
  throw unknownName('fixture', fixture, fixtures.map(({ id }) => id))
}

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new LandfallError('usage', `${JSON.stringify(text)} is not the address of an MCP endpoint`)
  }
  return url
}
