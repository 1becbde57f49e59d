import { LandfallError } from '@landfall/contracts'
import type Dockerode from 'dockerode'
import pRetry from 'p-retry'

/**
 * The one way to the container engine: the client that testcontainers found, with the settings that
 * testcontainers needs. Loaded late, because it looks for an engine when it is loaded.
 */
export async function connectEngine(): Promise<Dockerode> {
  // We label and remove what we start ourselves: the reaper would need an image of its own and kills a run
  // whose parent was suspended.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true'
  const { getContainerRuntimeClient } = await import('testcontainers')
  try {
    const client = await getContainerRuntimeClient()
    return client.container.dockerode
  } catch (cause) {
    throw new LandfallError('engine', `no container engine answers: ${messageOf(cause)}`, {}, { cause })
  }
}

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
])

/** Whether an error says that nobody listens any more, as opposed to the engine refusing something. */
export function isConnectionLost(error: unknown): boolean {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    const code = 'code' in current ? current.code : undefined
    if (typeof code === 'string' && connectionCodes.has(code)) return true
    if (/socket hang up|other side closed|fetch failed/.test(current.message)) return true
  }
  return false
}

/** Waits up to `seconds` for the engine to answer again. */
export async function waitForEngine(engine: Dockerode, seconds: number): Promise<boolean> {
  try {
    await pRetry(() => engine.ping(), {
      retries: seconds * 2,
      factor: 1,
      minTimeout: 500,
      maxRetryTime: seconds * 1000,
    })
    return true
  } catch {
    return false
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Answer of the engine to something that is not there any more. */
export function isGone(error: unknown): boolean {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return status === 404 || status === 409 || status === 304
}
