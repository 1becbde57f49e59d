import { Health, labels, LandfallError } from '@landfall/contracts'
import type Dockerode from 'dockerode'
import { execa } from 'execa'
import pRetry from 'p-retry'
import { parse as parseYaml } from 'yaml'
import { messageOf, waitForEngine } from './engine.ts'
import { requestJson } from './http-client.ts'
import { listThings, ownerLabel, removeThings } from './leftovers.ts'
import { readVictimService, type VictimService } from './sandbox.ts'

/**
 * The services of one run: a compose project of its own, on ports of its own, so that two runs do not meet.
 */
export interface LabOptions {
  readonly engine: Dockerode
  /** Folder that holds `compose.yaml`. */
  readonly root: string
  /** Images by service. Given by id, since another checkout may build under the same names meanwhile. */
  readonly images: LabImages
  readonly run: string
  /** Observers to start: one per trial that runs at the same time. */
  readonly observers: number
}

export type LabImages = Readonly<Record<string, { readonly id: string }>>

export interface Observer {
  readonly container: string
  readonly url: string
}

export class StartedLab implements AsyncDisposable {
  readonly #engine: Dockerode
  readonly run: string
  readonly victim: VictimService
  /** Control interface of the skills server, from this machine. */
  readonly controlUrl: string
  /** The skills server as a victim sees it. */
  readonly mcpOrigin = 'http://skills-server:3940'
  readonly observers: readonly Observer[]
  readonly network: string
  readonly server: string
  readonly maskedPaths: readonly string[]

  constructor(
    engine: Dockerode,
    parts: Pick<StartedLab, 'run' | 'victim' | 'controlUrl' | 'observers' | 'network' | 'server' | 'maskedPaths'>,
  ) {
    this.#engine = engine
    this.run = parts.run
    this.victim = parts.victim
    this.controlUrl = parts.controlUrl
    this.observers = parts.observers
    this.network = parts.network
    this.server = parts.server
    this.maskedPaths = parts.maskedPaths
  }

  /** Container name of the victim with this key. */
  victimName(key: string): string {
    return `${projectName(this.run)}-victim-${key}`
  }

  get labels(): Record<string, string> {
    return { [labels.run]: this.run, [labels.owner]: ownerLabel() }
  }

  /**
   * Whether all of it still runs. Tells a fault of one trial from the engine or the lab being gone. Asks more than
   * once: on a busy machine an answer may be late, and giving up ends the run.
   */
  async alive(): Promise<boolean> {
    const urls = [this.controlUrl, ...this.observers.map(({ url }) => url)]
    const ask = async () => {
      await this.#engine.ping()
      await Promise.all(urls.map((url) => requestJson(url, 'GET', '/healthz', Health, { timeoutMs: 5_000 })))
    }
    return pRetry(ask, { retries: 3, factor: 1, minTimeout: 1_000 }).then(
      () => true,
      () => false,
    )
  }

  /**
   * Removes every container, network and volume of the run. When the engine is away it is given a minute to
   * come back, since what it left can only be removed through it.
   *
   * @throws LandfallError `engine` when it stays away; `landfall clean` removes the rest later.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    await removeRun(this.#engine, this.run)
  }
}

/** Removes every container, network and volume that carries the label of `run`. */
export async function removeRun(engine: Dockerode, run: string): Promise<void> {
  if (!(await waitForEngine(engine, 60))) {
    throw new LandfallError(
      'engine',
      `the engine did not come back; \`landfall clean\` will remove what run ${run} left`,
    )
  }
  await removeThings(engine, await listThings(engine, run))
}

/** The environment in which compose reads `compose.yaml` for a run. Port 0 means any free port. */
export function composeEnvironment(run: string, observers: number, images: LabImages): Record<string, string> {
  const pinned = Object.entries(images).map(([service, { id }]): [string, string] => [
    `LANDFALL_IMAGE_${service.toUpperCase().replaceAll('-', '_')}`,
    id,
  ])
  return {
    ...Object.fromEntries(pinned),
    LANDFALL_RUN: run,
    LANDFALL_OWNER: ownerLabel(),
    LANDFALL_OBSERVERS: String(observers),
    LANDFALL_WATCH: '',
    LANDFALL_SERVER_PORT: '0',
    LANDFALL_CONTROL_PORT: '0',
    LANDFALL_OBSERVER_PORT: '0',
  }
}

export const projectName = (run: string): string => `landfall-${run}`

/** @throws LandfallError `engine` when the services do not become healthy; what was started is removed first. */
export async function startLab({ engine, root, images, run, observers }: LabOptions): Promise<StartedLab> {
  const env = composeEnvironment(run, observers, images)
  try {
    const victim = await readSandbox(root, env)
    const { DockerComposeEnvironment, Wait } = await import('testcontainers')
    await new DockerComposeEnvironment(root, 'compose.yaml')
      .withProjectName(projectName(run))
      .withEnvironment(env)
      .withAutoCleanup(false)
      .withDefaultWaitStrategy(Wait.forHealthCheck())
      .withStartupTimeout(60_000)
      .up(['skills-server', 'observer'])
    const containers = await engine.listContainers({ filters: { label: [`${labels.run}=${run}`] } })
    const ofService = (name: string) => containers.filter((it) => it.Labels['com.docker.compose.service'] === name)
    const [server] = ofService('skills-server')
    if (server === undefined) throw new LandfallError('service', 'the skills server is not running')
    return new StartedLab(engine, {
      run,
      victim,
      server: server.Id,
      maskedPaths: await maskedPathsOf(engine, server.Id),
      controlUrl: publishedUrl(server, 3950),
      observers: ofService('observer').map((it) => ({ container: it.Id, url: publishedUrl(it, 3960) })),
      network: `${projectName(run)}_lab`,
    })
  } catch (cause) {
    try {
      await removeRun(engine, run)
    } catch {
      // The first error is the one that matters; `landfall clean` finds the rest.
    }
    if (cause instanceof LandfallError) throw cause
    throw new LandfallError('engine', `the lab's services did not start: ${messageOf(cause)}`, {}, { cause })
  }
}

async function readSandbox(root: string, env: Record<string, string>): Promise<VictimService> {
  // As YAML: compose leaves extension fields out of its JSON.
  const { stdout } = await execa('docker', ['compose', '--project-directory', root, 'config'], { env, cwd: root })
  return readVictimService(parseYaml(stdout))
}

/** The engine tells what it masks by default in any container that did not ask for more. */
async function maskedPathsOf(engine: Dockerode, container: string): Promise<readonly string[]> {
  const { HostConfig } = await engine.getContainer(container).inspect()
  return HostConfig.MaskedPaths ?? []
}

function publishedUrl(container: Dockerode.ContainerInfo, port: number): string {
  const published = container.Ports.find((it) => it.PrivatePort === port && it.PublicPort !== undefined)
  if (published === undefined)
    throw new LandfallError('service', `port ${port} of ${container.Names[0] ?? container.Id} is not published`)
  return `http://127.0.0.1:${published.PublicPort}`
}
