import { fileURLToPath } from 'node:url'
import type { Observation as Seen, ObservationRequest } from '@landfall/contracts'
import { evidencePath, Observation, ObservationStarted } from '@landfall/contracts'
import type { HostConfig } from 'dockerode'
import type { StartedTestContainer } from 'testcontainers'
import { z } from 'zod'

// Read when the library is loaded: the tests clean up themselves, and the engine is this machine's.
process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true'
process.env['TESTCONTAINERS_HOST_OVERRIDE'] ??= '127.0.0.1'
export const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers')

/** The observer and its victims as real containers, with the rights that the lab gives them. */

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const baseImage = process.env['LANDFALL_NODE_IMAGE'] ?? 'node:24-trixie-slim'
// Two checkouts that test at the same time must not build over each other's image.
/** Holds koffi too, for a victim that needs more calls than a shell has. */
export const image = `landfall/observer:${process.env['LANDFALL_TEST_TAG'] ?? 'test'}`
const EngineChanges = z.array(z.object({ Path: z.string() }))
const port = 3960

/** What the library has no method for. */
class LabContainer extends GenericContainer {
  withHost(config: Partial<typeof this.hostConfig>): this {
    Object.assign(this.hostConfig, config)
    return this
  }

  withoutHealthCheck(): this {
    this.createOpts.Healthcheck = { Test: ['NONE'] }
    return this
  }
}

export async function buildObserver(): Promise<void> {
  const build = GenericContainer.fromDockerfile(root, 'services/observer/Dockerfile')
  await build.withBuildArgs({ NODE_IMAGE: baseImage }).withBuildkit().build(image, { deleteOnExit: false })
}

export class Observer implements AsyncDisposable {
  readonly container: StartedTestContainer
  readonly url: string

  private constructor(container: StartedTestContainer) {
    this.container = container
    this.url = `http://127.0.0.1:${container.getMappedPort(port)}`
  }

  /** `evidence` are the options of a tmpfs for the content of what victims write. */
  static async start(
    environment: Record<string, string> = {},
    { evidence, host = {} }: { evidence?: string; host?: Partial<HostConfig> } = {},
  ): Promise<Observer> {
    const container = await new LabContainer(image)
      .withEnvironment({ HOST: '0.0.0.0', ...(evidence && { EVIDENCE_DIR: '/evidence' }), ...environment })
      .withTmpFs(evidence === undefined ? {} : { '/evidence': `${evidence},uid=3960` })
      .withExposedPorts(port)
      .withDroppedCapabilities('ALL')
      .withAddedCapabilities('SYS_PTRACE', 'DAC_READ_SEARCH', 'SETUID')
      .withSecurityOpt('no-new-privileges')
      // A process of Node's every five seconds in the same control group, which is none of the observer's memory.
      .withoutHealthCheck()
      .withHost({ ReadonlyRootfs: true, ...host })
      .withWaitStrategy(Wait.forHttp('/healthz', port))
      .start()
    return new Observer(container)
  }

  async begin(request: Pick<ObservationRequest, 'trial'> & Partial<ObservationRequest>): Promise<ObservationStarted> {
    const whole = { marker: request.trial, tokens: [], decoys: [], ...request }
    return ObservationStarted.parse(await this.#post('/observations', whole))
  }

  async end(trial: string, deliveries: string[] = []): Promise<Seen> {
    return Observation.parse(await this.#post(`/observations/${trial}/end`, { deliveries }))
  }

  /** Content that it kept; undefined when it did not, or no longer. */
  async evidence(sha256: string): Promise<Buffer | undefined> {
    const answer = await fetch(this.url + evidencePath(sha256))
    return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined
  }

  async isHealthy(): Promise<boolean> {
    return (await fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(20_000) })).ok
  }

  /** Stops every process and thread of it, and its victims go on. */
  async pause(): Promise<void> {
    const { container } = await getContainerRuntimeClient()
    await container.getById(this.container.getId()).pause()
  }

  async unpause(): Promise<void> {
    const { container } = await getContainerRuntimeClient()
    await container.getById(this.container.getId()).unpause()
  }

  async logs(): Promise<string> {
    const { container } = await getContainerRuntimeClient()
    const stream = await container.logs(container.getById(this.container.getId()), { tail: 1_000 })
    let text = ''
    const reading = (async () => {
      for await (const chunk of stream) text += String(chunk)
    })()
    await Promise.race([reading, new Promise((done) => setTimeout(done, 1_000))])
    stream.destroy()
    return text
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.container.stop({ timeout: 0 })
  }

  async #post(path: string, body: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(this.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
}

export class Victim implements AsyncDisposable {
  readonly container: StartedTestContainer

  private constructor(container: StartedTestContainer) {
    this.container = container
  }

  static async start(
    observer: Observer,
    trial: string,
    user: '0' | '1000' = '1000',
    of: string = baseImage,
  ): Promise<Victim> {
    const container = await new LabContainer(of)
      .withCommand(['sleep', '600'])
      .withEnvironment({ LANDFALL_TRIAL: trial })
      .withUser(user)
      .withDroppedCapabilities('ALL')
      .withSecurityOpt('no-new-privileges')
      .withTmpFs({ '/tmp': 'rw,mode=1777' })
      .withHost({ PidMode: `container:${observer.container.getId()}`, Init: true, NetworkMode: 'none' })
      .withWaitStrategy(Wait.forSuccessfulCommand('true'))
      .start()
    return new Victim(container)
  }

  async sh(script: string): Promise<{ output: string; exitCode: number }> {
    return this.container.exec(['sh', '-c', script])
  }

  /** What the runner does before it asks for the end. A victim that has killed itself is dead already. */
  async kill(): Promise<void> {
    const { container } = await getContainerRuntimeClient()
    const victim = container.getById(this.container.getId())
    if ((await container.inspect(victim)).State.Running) await victim.kill()
    await victim.wait()
  }

  /** Everything that the engine's own comparison of layers finds different. */
  async engineChanges(): Promise<string[]> {
    const { container } = await getContainerRuntimeClient()
    const changes: unknown = await container.getById(this.container.getId()).changes()
    // The engine says null when there are none, which the client hands on as the bytes of that word.
    const list = Buffer.isBuffer(changes) ? (JSON.parse(changes.toString('utf8')) as unknown) : changes
    return EngineChanges.parse(list ?? []).map(({ Path }) => Path)
  }

  async remove(): Promise<void> {
    const { container } = await getContainerRuntimeClient()
    await container.getById(this.container.getId()).remove({ force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A test may have removed it.
    await this.remove().catch(() => undefined)
  }
}
