import { fileURLToPath } from 'node:url'
import { InstallReport, parseAs, userFacts } from '@landfall/contracts'
import type { VictimUser } from '@landfall/contracts'
import type { StartedTestContainer } from 'testcontainers'
import { z } from 'zod'

// Read when the library is loaded: the tests clean up themselves, and the engine is this machine's.
process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true'
process.env['TESTCONTAINERS_HOST_OVERRIDE'] ??= '127.0.0.1'
const { GenericContainer, getContainerRuntimeClient } = await import('testcontainers')

/** The victim's image, built from this checkout, and victims that stand on this machine's own network. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))
// Two checkouts that test at the same time must not build over each other's image.
const image = `landfall/victim-host:${process.env['LANDFALL_TEST_TAG'] ?? 'test'}`
const EngineChanges = z.array(z.object({ Path: z.string() }))

export async function buildVictim(): Promise<void> {
  const build = GenericContainer.fromDockerfile(root, 'services/victim-host/Dockerfile')
  const baseImage = process.env['LANDFALL_NODE_IMAGE'] ?? 'node:24-trixie-slim'
  await build.withBuildArgs({ NODE_IMAGE: baseImage }).withBuildkit().build(image, { deleteOnExit: false })
}

export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export class Victim implements AsyncDisposable {
  readonly #container: StartedTestContainer
  readonly user: VictimUser

  private constructor(container: StartedTestContainer, user: VictimUser) {
    this.#container = container
    this.user = user
  }

  /** One victim of one user, confined like those of the lab. Only its network differs: a server of the test must be in reach. */
  static async start(user: VictimUser): Promise<Victim> {
    const { uid, gid } = userFacts[user]
    const container = await new GenericContainer(image)
      .withUser(`${uid}:${gid}`)
      .withNetworkMode('host')
      .withDroppedCapabilities('ALL')
      .withSecurityOpt('no-new-privileges')
      .withLabels({ 'dev.landfall.test': 'victim-host' })
      .start()
    return new Victim(container, user)
  }

  async run(command: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
    const { exitCode, stdout, stderr } = await this.#container.exec([...command], { env })
    return { exitCode, stdout, stderr }
  }

  async sh(script: string): Promise<string> {
    return (await this.run(['sh', '-c', script])).stdout
  }

  /** Installs with `--json` and reads the report. */
  async install(...options: readonly string[]): Promise<{ exitCode: number; report: InstallReport }> {
    const { exitCode, stdout } = await this.run(['landfall-host', 'install', ...options, '--json'])
    return {
      exitCode,
      report: parseAs(InstallReport, JSON.parse(stdout.trim().split('\n').at(-1) ?? ''), 'the report'),
    }
  }

  /** Everything that differs from the image, as the engine sees it. */
  async changes(): Promise<string[]> {
    const { container } = await getContainerRuntimeClient()
    const changes: unknown = await container.getById(this.#container.getId()).changes()
    return EngineChanges.parse(changes).map(({ Path }) => Path)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#container.stop({ timeout: 0 })
  }
}
