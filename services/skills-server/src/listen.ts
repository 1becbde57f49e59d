import { lookup } from 'node:dns/promises'
import type { RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { LandfallError } from '@landfall/contracts'
import { answerParserError } from './http/parser-errors.ts'

/**
 * Opens a port on one address. A name is resolved first, and more than once: an engine attaches a container
 * to its networks one after the other, so the name may appear only a moment after the process has started.
 */
export interface Resolver {
  readonly resolve: (name: string) => Promise<string>
  readonly wait: (ms: number) => Promise<unknown>
}

export const systemResolver: Resolver = {
  resolve: async (name) => (await lookup(name)).address,
  wait: delay,
}

const attempts = 20
const pauseMs = 250

/** The address that `host` stands for. @throws LandfallError `machine` when it does not resolve within 5 s. */
export async function addressOf(host: string, { resolve, wait }: Resolver = systemResolver): Promise<string> {
  let last: unknown
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await wait(pauseMs)
    try {
      return await resolve(host)
    } catch (error) {
      last = error
    }
  }
  throw new LandfallError('machine', `Name does not resolve: ${host}`, { host }, { cause: last })
}

const maxConnections = 1_024
/** After which a connection on which nothing moves is cut. Open streams say something more often than that. */
const idleMs = 60_000

export interface Listening {
  readonly server: Server
  readonly address: string
  readonly port: number
}

/** @throws LandfallError `machine` when the address and port cannot be had. */
export async function listen(listener: RequestListener, address: string, port: number): Promise<Listening> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, listener)
  server.maxConnections = maxConnections
  server.setTimeout(idleMs)
  server.on('clientError', answerParserError)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ host: address, port }, resolve)
  try {
    await promise
  } catch (cause) {
    throw new LandfallError('machine', `Cannot listen on ${address} port ${port}`, { address, port }, { cause })
  }
  server.removeListener('error', reject)
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new LandfallError('machine', `No address for ${address}`)
  return { server, address: bound.address, port: bound.port }
}

/** Stops listening and cuts what is still open. */
export async function closeServer({ server }: Listening): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  await promise
}
