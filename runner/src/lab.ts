import { Health, type HostProfile, labels, LandfallError } from '@landfall/contracts'
import type Dockerode from 'dockerode'
import { execa } from 'execa'
import pRetry from 'p-retry'
import { parse as parseYaml } from 'yaml'
import { messageOf, waitForEngine } from './engine.ts'
import { requestJson } from './http-client.ts'
import { describeStates } from './lab-states.ts'
import { candidateNets, isOverlap, sinkholeAddress, takenSubnets, VictimAddresses } from './lab-net.ts'
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

export interface Sinkhole {
  readonly container: string
  /** The relay of its control port. */
  readonly relay: string
  readonly url: string
  readonly address: string
}

export type LabParts = Pick<
  StartedLab,
  'run' | 'victim' | 'controlUrl' | 'observers' | 'network' | 'server' | 'maskedPaths' | 'sinkhole' | 'addresses'
> & { readonly images?: LabImages }

export class StartedLab implements AsyncDisposable {
  readonly #engine: Dockerode
  readonly run: string
  readonly victim: VictimService
  readonly #images: LabImages
  /** Control interface of the skills server, from this machine. */
  readonly controlUrl: string
  /** The skills server as a victim sees it. */
  readonly mcpOrigin = 'http://skills-server:3940'
  readonly observers: readonly Observer[]
  readonly network: string
  readonly server: string
  readonly maskedPaths: readonly string[]
  /** The victims' outside world: its container, its control port from this machine, its address on the lab network. */
  readonly sinkhole: Sinkhole
  readonly addresses: VictimAddresses

  constructor(engine: Dockerode, parts: LabParts) {
    this.#engine = engine
    this.run = parts.run
    this.victim = parts.victim
    this.#images = parts.images ?? {}
    this.controlUrl = parts.controlUrl
    this.observers = parts.observers
    this.network = parts.network
    this.server = parts.server
    this.maskedPaths = parts.maskedPaths
    this.sinkhole = parts.sinkhole
    this.addresses = parts.addresses
  }

  /** Container name of the victim with this key. */
  victimName(key: string): string {
    return `${projectName(this.run)}-victim-${key}`
  }

  /** The victim's settings with the image that a host needs. @throws LandfallError `service` when the run lacks it. */
  victimOf({ id, image }: Pick<HostProfile, 'id' | 'image'>): VictimService {
    if (image === undefined) return this.victim
    const built = this.#images[image]
    if (built === undefined)
      throw new LandfallError('service', `host ${id} needs the image ${image}, which was not built`)
    return { ...this.victim, image: built.id }
  }

  get labels(): Record<string, string> {
    return { [labels.run]: this.run, [labels.owner]: ownerLabel() }
  }

  /**
   * What every trial needs and is gone: nothing when a fault is one of a trial alone. An observer is not among it,
   * since the others go on without it.
   */
  async missing(): Promise<string[]> {
    const needed = [
      { name: 'the engine', ask: () => this.#engine.ping() },
      { name: 'the skills server', ask: () => health(this.controlUrl) },
      { name: 'the sinkhole', ask: () => health(this.sinkhole.url) },
    ]
    const found = await Promise.all(needed.map(async ({ name, ask }) => ((await answers(ask)) ? [] : [name])))
    return found.flat()
  }

  /** Whether an observer still answers. It holds a trial's PID namespace, so a trial does not outlive it. */
  async isAlive({ url }: Observer): Promise<boolean> {
    return await answers(() => health(url))
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

/** Asks more than once: on a busy machine an answer may be late, and giving up is final. */
async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  return await pRetry(ask, { retries: 3, factor: 1, minTimeout: 1_000 }).then(
    () => true,
    () => false,
  )
}

const health = async (url: string) => await requestJson(url, 'GET', '/healthz', Health, { timeoutMs: 5_000 })

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
export function composeEnvironment(
  { run, observers, images }: Pick<LabOptions, 'run' | 'observers' | 'images'>,
  net: string,
): Record<string, string> {
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
    LANDFALL_SINKHOLE_PORT: '0',
    LANDFALL_LAB_NET: net,
  }
}

export const projectName = (run: string): string => `landfall-${run}`

/** Nets that are tried before giving up: each time somebody else was faster. */
const mostNets = 20

/** @throws LandfallError `engine` when the services do not become healthy; what was started is removed first. */
export async function startLab(options: LabOptions): Promise<StartedLab> {
  const { engine, run } = options
  const nets = candidateNets(run, await takenSubnets(engine)).slice(0, mostNets)
  for (const net of nets) {
    try {
      return await startOn(net, options)
    } catch (cause) {
      const states = await describeStates(engine, run)
      try {
        await removeRun(engine, run)
      } catch {
        // The first error is the one that matters; `landfall clean` finds the rest.
      }
      if (isOverlap(cause)) continue
      if (cause instanceof LandfallError) throw cause
      const message = `the lab's services did not start: ${messageOf(cause)} (${states})`
      throw new LandfallError('engine', message, {}, { cause })
    }
  }
  const message =
    'no network for the lab: all of 198.18.0.0/15 is taken by networks of the engine; `landfall clean` may help'
  throw new LandfallError('engine', message)
}

async function startOn(net: string, options: LabOptions): Promise<StartedLab> {
  const { engine, root, run } = options
  const env = composeEnvironment(options, net)
  const victim = await readSandbox(root, run, env)
  const { DockerComposeEnvironment, Wait } = await import('testcontainers')
  await new DockerComposeEnvironment(root, 'compose.yaml')
    .withProjectName(projectName(run))
    .withEnvironment(env)
    .withAutoCleanup(false)
    .withDefaultWaitStrategy(Wait.forHealthCheck())
    .withStartupTimeout(120_000)
    .up(['skills-server', 'observer', 'sinkhole-control'])
  const containers = await engine.listContainers({ filters: { label: [`${labels.run}=${run}`] } })
  const ofService = (name: string) => containers.filter((it) => it.Labels['com.docker.compose.service'] === name)
  const only = (name: string) => {
    const [container] = ofService(name)
    if (container === undefined) throw new LandfallError('service', `the service ${name} is not running`)
    return container
  }
  const server = only('skills-server')
  const relay = only('sinkhole-control')
  return new StartedLab(engine, {
    run,
    images: options.images,
    victim,
    server: server.Id,
    maskedPaths: await maskedPathsOf(engine, server.Id),
    controlUrl: publishedUrl(server, 3950),
    observers: ofService('observer').map((it) => ({ container: it.Id, url: publishedUrl(it, 3960) })),
    network: `${projectName(run)}_lab`,
    sinkhole: {
      container: only('sinkhole').Id,
      relay: relay.Id,
      url: publishedUrl(relay, 3970),
      address: sinkholeAddress(net),
    },
    addresses: new VictimAddresses(net),
  })
}

async function readSandbox(root: string, run: string, env: Record<string, string>): Promise<VictimService> {
  // As YAML: compose leaves extension fields out of its JSON. With the project's name, which is part of its volumes'.
  const asked = ['compose', '--project-directory', root, '--project-name', projectName(run), 'config']
  const { stdout } = await execa('docker', asked, { env, cwd: root })
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
