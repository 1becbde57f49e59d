/** Settings that the testcontainers library needs on this machine. Pure. */
import type { ReadyEngine } from './engine.ts'

export interface HostFacts {
  /** `/.dockerenv` exists, which the library takes for "I run in a container". */
  readonly looksLikeContainer: boolean
  readonly hostname: string
}

export function testcontainersEnvironment(
  engine: Pick<ReadyEngine, 'name' | 'endpoint'>,
  host: HostFacts,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  // Clean-up is ours, by label; the library's own cleaner is an image that an offline machine cannot pull.
  const settings: Record<string, string> = { TESTCONTAINERS_RYUK_DISABLED: 'true' }
  const engineIsHere = engine.endpoint.host.startsWith('unix:') && engine.name === host.hostname
  if (host.looksLikeContainer && engineIsHere && env['TESTCONTAINERS_HOST_OVERRIDE'] === undefined) {
    settings['TESTCONTAINERS_HOST_OVERRIDE'] = '127.0.0.1'
  }
  // The library does not follow docker contexts.
  if (engine.endpoint.context !== 'default' && engine.endpoint.chosenBy !== 'DOCKER_HOST') {
    settings['DOCKER_HOST'] = engine.endpoint.host
  }
  return settings
}
