import type { HostProfile, InstallReport } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts/errors'
import type { InstallExit } from '@landfall/contracts/install-exit'
import { installExit } from '@landfall/contracts/install-exit'
import { environment, victimLayout } from '@landfall/contracts/layout'
import { connectHost } from './connect.ts'
import { runInstallation } from './installation.ts'
import { openReader } from './mcp/reader.ts'
import { narrator } from './narrator.ts'
import type { KnownHost } from './profiles.ts'
import { preparedHosts } from './profiles.ts'

/**
 * `landfall-host install`: turns what was asked for into an installation and runs it.
 *
 * Everything that only a mistake needs is loaded when the mistake is made.
 */
export interface InstallRequest {
  /** A host of this image. */
  readonly host?: string
  /** A host profile as JSON, already checked by whoever gives it: hosts that this image does not know. */
  readonly profile?: string
  /** What the host of `profile` has said of its version, when whoever gives the profile has asked it. */
  readonly hostVersion?: string
  /** Install the skills of this row of the catalogue; without it, everything that the endpoint lists. */
  readonly fixture?: string
  readonly url?: string
  /** Only this archive format. */
  readonly format?: string
  /** `mcp-index` or `mcp-stable`: the host connects by itself. With `sources`, one that it fetches over by itself. */
  readonly channel?: string
  /** Addresses to fetch from as JSON: a list of `{skill, url}`. */
  readonly sources?: string
  /** What the agent uses once the host has accepted: a request as JSON, which the agent's own process checks. */
  readonly use?: string
  readonly json: boolean
}

export const defaultUrl = 'http://skills-server:3940/mcp'

/** @throws LandfallError `usage` for an unknown host or fixture, a bad address, or outside of a victim. */
export async function install(request: InstallRequest): Promise<InstallExit> {
  const hosts = preparedHosts()
  if (hosts === undefined) throw new LandfallError('usage', 'skills are installed in a victim only, and this is none')
  const host =
    request.profile === undefined
      ? await findHost(hosts, request.host ?? '')
      : givenHost(hosts, request.profile, request.hostVersion)
  const names = request.fixture === undefined ? undefined : await skillsOf(request.fixture)
  const endpoint = parseUrl(request.url ?? process.env[environment.mcpUrl] ?? defaultUrl)
  const user = process.getuid?.() === 0 ? 'root' : 'agent'
  const tell = narrator(request.json)
  const formats = host.profile.install
    .map(({ format }) => format)
    .filter((format) => format === (request.format ?? format))
  const report: InstallReport = { host: host.profile.id, version: host.version, dest: [], deliveries: [], steps: [] }

  tell.starting(endpoint.href, host)
  const job = { profile: host.profile, layout: victimLayout(user), reader: openReader(endpoint), tell, user, formats }
  const code = await way(job, report, { ...request, endpoint }, names)
  tell.finished(code, report)
  if (request.use === undefined || code !== installExit.accepted) return code
  const { useInstalled } = await import('./agent/use-installed.ts')
  return await useInstalled(request.use, request.json, job.layout, user)
}

async function way(
  job: Parameters<typeof runInstallation>[0],
  report: InstallReport,
  { channel, sources, endpoint }: InstallRequest & { readonly endpoint: URL },
  names: readonly string[] | undefined,
): Promise<InstallExit> {
  if (channel === undefined) return await runInstallation(job, report, names)
  if (sources === undefined) return await connectHost(job, report, endpoint, channel)
  const { fetchWithHost } = await import('./fetch-with-host.ts')
  return await fetchWithHost(job, report, channel, sources)
}

/** The profile wins over the image's own of the same name; without a version told, it is known only of those. */
function givenHost(hosts: readonly KnownHost[], text: string, told: string | undefined): KnownHost {
  let profile: HostProfile
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the runner has parsed it by its schema
    profile = JSON.parse(text) as HostProfile
  } catch (cause) {
    throw new LandfallError('usage', 'the host profile is not JSON', {}, { cause })
  }
  const known = () => hosts.find((host) => host.profile.id === profile.id)?.version
  return { profile, version: told ?? known() ?? 'unknown' }
}

async function findHost(hosts: readonly KnownHost[], id: string): Promise<KnownHost> {
  const host = hosts.find(({ profile }) => profile.id === id)
  if (host !== undefined) return host
  const { unknownName } = await import('./unknown-name.ts')
  const known = hosts.map(({ profile }) => profile.id)
  throw unknownName('host', id, known)
}

async function skillsOf(fixture: string): Promise<readonly string[]> {
  const { findFixture, fixtures } = await import('@landfall/catalog')
  const row = findFixture(fixture)
  if (row !== undefined) return row.skills
  const { unknownName } = await import('./unknown-name.ts')
  const known = fixtures.map(({ id }) => id)
  throw unknownName('fixture', fixture, known)
}

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new LandfallError('usage', `${JSON.stringify(text)} is not the address of an MCP endpoint`)
  }
  return url
}
