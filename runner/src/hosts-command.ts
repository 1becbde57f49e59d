import { type HostProfile, isFetched } from '@landfall/contracts'
import { z } from 'zod'
import { localImage } from './preflight/docker-images.ts'
import { exec } from './preflight/exec.ts'
import { readLabBuilds } from './preflight/images.ts'
import { planOwnImage } from './own-image.ts'
import { loadProfiles, readFolder } from './profiles.ts'
import { repositoryRoot } from './root.ts'

/**
 * `landfall hosts`: every host with the version that it reports. The versions are asked in a container of the last
 * built image of the victim; nothing is built for it, and without an image or an engine the list says so.
 */
export interface ListedHost {
  readonly id: string
  readonly title: string
  readonly kind: string
  readonly takes: readonly string[]
  readonly version: string | null
  readonly own: boolean
}

export interface HostList {
  readonly hosts: readonly ListedHost[]
  /** Where the versions come from, or why there are none. */
  readonly versions: string
}

export async function hostsCommand(hostsDir: string | undefined, json: boolean): Promise<string> {
  const list = await listHosts(hostsDir)
  return json ? `${JSON.stringify(list, undefined, 2)}\n` : renderHosts(list)
}

async function listHosts(hostsDir: string | undefined): Promise<HostList> {
  const profiles = await loadProfiles(hostsDir)
  const own = new Set(hostsDir === undefined ? [] : (await readFolder(hostsDir)).map(({ id }) => id))
  const { versions, said } = await askVersions(
    profiles.filter(({ image }) => image === undefined),
    hostsDir,
  )
  const hosts = profiles.map((profile) => ({
    id: profile.id,
    title: profile.title,
    kind: profile.kind,
    takes: takes(profile),
    version: versions.get(profile.id) ?? pinOf(profile),
    own: own.has(profile.id),
  }))
  return { hosts, versions: said }
}

/** An image that may not have been built is not asked: what it would have is what the profile says. */
const pinOf = ({ image, needs }: HostProfile): string | null =>
  image === undefined ? null : (Object.values(needs.npm)[0] ?? null)

/** What can be handed to a host: archive formats, or the channels of one that fetches by itself. */
export function takes({ install, channels }: HostProfile): string[] {
  return [
    ...install.map(({ format }) => format),
    ...channels.filter((channel) => channel.startsWith('mcp-') || isFetched(channel)),
  ]
}

interface Asked {
  readonly versions: ReadonlyMap<string, string>
  readonly said: string
}

const none = (said: string): Asked => ({ versions: new Map(), said })
const Versions = z.array(z.looseObject({ id: z.string(), version: z.string() }))

async function askVersions(profiles: readonly HostProfile[], hostsDir: string | undefined): Promise<Asked> {
  const builds = await readLabBuilds(repositoryRoot).catch(() => [])
  const name = builds.find(({ service }) => service === 'victim-host')?.image
  const base = name === undefined ? undefined : await localImage(name)
  if (name === undefined || base === undefined)
    return none('no versions: the image of the victim is not built yet, or no engine answers (`npm run setup`)')
  const plan = hostsDir === undefined ? undefined : await planOwnImage(hostsDir, { image: name, id: base.id })
  const image = plan?.name ?? name
  if (plan !== undefined && (await localImage(plan.name)) === undefined)
    return none(`no versions: the image of ${plan.folder} is not built yet (\`landfall hosts check FILE\` builds it)`)
  const container = ['run', '--rm', '--network', 'none', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
  const command = ['landfall-host', 'hosts', '--json', '--profiles', JSON.stringify(profiles)]
  const asked = await exec('docker', [...container, image, ...command], { timeoutMs: 120_000 })
  if (!asked.ok) return none(`no versions: a victim of ${image} did not tell them: ${asked.why}`)
  const versions = Versions.parse(JSON.parse(asked.stdout)).map(({ id, version }) => [id, version] as const)
  return { versions: new Map(versions), said: `versions as a victim of ${image} reports them now` }
}

export function renderHosts({ hosts, versions }: HostList): string {
  const rows = hosts.map(({ id, kind, takes: formats, version, own, title }) => [
    own ? `${id} *` : id,
    kind,
    formats.join(', '),
    shown(version ?? '?'),
    title,
  ])
  const head = ['host', 'kind', 'takes', 'version', 'title']
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  const lines = [head, ...rows].map((row) => line(row).trimEnd())
  const note = hosts.some(({ own }) => own) ? '\n* from your own folder' : ''
  return `${lines.join('\n')}\n\n${hosts.length} hosts; ${versions}${note}\n`
}

const longest = 44

/** A version is output of a program under test: one line of printable characters, cut. */
function shown(version: string): string {
  const plain = version.replaceAll(/[^\x20-\x7e]/g, '?')
  return plain.length > longest ? `${plain.slice(0, longest - 3)}...` : plain
}
