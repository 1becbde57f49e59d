/** Looks at the machine; changes nothing. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { LandfallError, parseAs } from '@landfall/contracts'
import { z } from 'zod'
import { exec, searchPath } from './exec.ts'
import { parseOsRelease, type OsRelease } from './os-release.ts'

export interface RunningEngine {
  readonly version: string
  readonly name: string
  readonly rootFolder: string
  readonly storageDriver: string
  readonly cgroupVersion: string
}

export interface EngineFacts {
  readonly platform: NodeJS.Platform
  readonly isRoot: boolean
  readonly setupAllowed: boolean
  readonly os: OsRelease | undefined
  readonly hasApt: boolean
  readonly hasSystemd: boolean
  /** The `docker` command is there. */
  readonly hasClient: boolean
  /** Path of `dockerd`. */
  readonly daemon: string | undefined
  readonly compose: string | undefined
  readonly buildx: string | undefined
  /** Where the client would find the engine, and whether a user or an administrator chose another than the default. */
  readonly endpoint: { readonly host: string; readonly chosenBy: string | undefined; readonly context: string }
  readonly running: RunningEngine | undefined
  readonly whyNotRunning: string
}

const infoSchema = z.object({
  ServerVersion: z.string().optional(),
  Name: z.string().optional(),
  DockerRootDir: z.string().optional(),
  Driver: z.string().optional(),
  CgroupVersion: z.string().optional(),
  ServerErrors: z.array(z.string()).nullish(),
  ClientInfo: z
    .object({
      Context: z.string().optional(),
      Plugins: z
        .array(z.object({ Name: z.string(), Version: z.string().optional(), Err: z.unknown().optional() }))
        .nullish(),
    })
    .optional(),
})
type DockerInfo = z.output<typeof infoSchema>

export async function probeEngine(env: NodeJS.ProcessEnv = process.env): Promise<EngineFacts> {
  const hasClient = findProgram('docker', env) !== undefined
  const info = hasClient ? await dockerInfo() : undefined
  const plugin = (name: string) =>
    info?.ClientInfo?.Plugins?.find((found) => found.Name === name && found.Err === undefined)?.Version
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    setupAllowed: env['LANDFALL_SETUP'] !== 'never',
    os: await readOsRelease(),
    hasApt: findProgram('apt-get', env) !== undefined,
    hasSystemd: existsSync('/run/systemd/system'),
    hasClient,
    daemon: findProgram('dockerd', env),
    compose: plugin('compose'),
    buildx: plugin('buildx'),
    endpoint: await endpointOf(info, env),
    running: runningEngine(info),
    whyNotRunning: info?.ServerErrors?.join(' ').replace(/\.$/, '') ?? '',
  }
}

function runningEngine(info: DockerInfo | undefined): RunningEngine | undefined {
  if (info?.ServerVersion === undefined || info.ServerVersion === '') return undefined
  return {
    version: info.ServerVersion,
    name: info.Name ?? '',
    rootFolder: info.DockerRootDir ?? '/var/lib/docker',
    storageDriver: info.Driver ?? '',
    cgroupVersion: info.CgroupVersion ?? '',
  }
}

async function dockerInfo(): Promise<DockerInfo | undefined> {
  const { stdout, why } = await exec('docker', ['info', '--format', '{{json .}}'], { timeoutMs: 30_000 })
  // For example when DOCKER_CONTEXT names none.
  if (!stdout.startsWith('{')) throw new LandfallError('engine', `the docker command does not work: ${why}`)
  const info = parseAs(infoSchema, JSON.parse(stdout), 'the answer of docker info')
  // Newer clients say on stderr why the engine does not answer.
  return info.ServerErrors?.length ? info : { ...info, ServerErrors: [why] }
}

async function endpointOf(info: DockerInfo | undefined, env: NodeJS.ProcessEnv): Promise<EngineFacts['endpoint']> {
  const context = info?.ClientInfo?.Context ?? 'default'
  const fromEnv = env['DOCKER_HOST'] ?? ''
  if (fromEnv !== '') return { host: fromEnv, chosenBy: 'DOCKER_HOST', context }
  if (context === 'default') return { host: 'unix:///var/run/docker.sock', chosenBy: undefined, context }
  const { stdout } = await exec('docker', ['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}'])
  return { host: stdout.trim(), chosenBy: `the docker context '${context}'`, context }
}

export function findProgram(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  return searchPath(env)
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}

async function readOsRelease(): Promise<OsRelease | undefined> {
  try {
    return parseOsRelease(await readFile('/etc/os-release', 'utf8'))
  } catch {
    return undefined
  }
}
