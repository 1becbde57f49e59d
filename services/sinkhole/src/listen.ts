import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { LandfallError } from '@landfall/contracts'

/**
 * Opens ports. An engine attaches a container to its networks one after the other, so that a name or an address
 * may appear only a moment after the process has started.
 */
const attempts = 40
const pauseMs = 250

async function patiently<T>(what: string, attempt: () => Promise<T>): Promise<T> {
  let last: unknown
  for (let round = 0; round < attempts; round += 1) {
    if (round > 0) await delay(pauseMs)
    try {
      return await attempt()
    } catch (error) {
      last = error
      if (!isNotYet(error)) break
    }
  }
  const reason = last instanceof Error ? last.message : String(last)
  throw new LandfallError('machine', `${what}: ${reason}`, {}, { cause: last })
}

const notYet = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL'])
const isNotYet = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && notYet.has(String(error.code))

/** The IPv4 address that `host` stands for. @throws LandfallError `machine` */
export async function addressOf(host: string): Promise<string> {
  return patiently(`the name ${host} does not resolve`, async () => (await lookup(host, { family: 4 })).address)
}

/** Tries `bind`, which answers the port, until the address is there. @throws LandfallError `machine` */
export async function bindPatiently(what: string, bind: () => Promise<number>): Promise<number> {
  return patiently(`cannot listen on ${what}`, bind)
}

/** Answers the port, which is a free one for port 0. */
export async function listen(server: Server, port: number, address: string): Promise<number> {
  return bindPatiently(`${address} port ${port}`, async () => {
    server.listen({ port, host: address })
    // `once` rejects with the error that comes instead.
    await once(server, 'listening')
    const bound = server.address()
    if (bound === null || typeof bound === 'string') throw new Error('the server has no port')
    return bound.port
  })
}

/** A socket's address of the other end; IPv4 without the form it has on a socket of both kinds. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:/, '')
}
