import { createHash } from 'node:crypto'
import { LandfallError } from '@landfall/contracts'
import type Dockerode from 'dockerode'
import { z } from 'zod'

/**
 * Addresses of the lab network. Each run has a network of 254 addresses in 198.18.0.0/15, which is set aside for
 * benchmarks (RFC 2544) and leads nowhere, since the sinkhole and the victims have fixed addresses in it.
 *
 * A net is written by the first three numbers of its addresses: `198.18.39`.
 */
const nets = 512
/** Of the lab that `docker compose up` starts. */
const byHand = '198.18.39'
const firstVictim = 10
/** What follows is given out by the engine (`ip_range` in compose.yaml). */
const lastVictim = 219

/** Nets to try for a run, in an order of its own, without those that `taken` says are in use. */
export function candidateNets(run: string, taken: readonly string[]): string[] {
  const start = createHash('sha256').update(run).digest().readUInt16BE(0)
  const all = Array.from({ length: nets }, (_, step) => netOf((start + step) % nets))
  return all.filter((net) => net !== byHand && !taken.some((subnet) => contains(subnet, net)))
}

const netOf = (index: number): string => `198.${18 + Math.floor(index / 256)}.${index % 256}`

/** Whether the subnet, such as `198.18.0.0/16`, shares addresses with the net. */
function contains(subnet: string, net: string): boolean {
  const [address = '', bits = ''] = subnet.split('/')
  const ours = toNumber(`${net}.0`)
  const theirs = toNumber(address)
  if (ours === undefined || theirs === undefined || !/^\d{1,2}$/.test(bits)) return false
  const size = 2 ** (32 - Math.min(24, Number(bits)))
  return Math.floor(ours / size) === Math.floor(theirs / size)
}

function toNumber(address: string): number | undefined {
  const parts = address.split('.').map(Number)
  return parts.length === 4 && parts.every((part) => part >= 0 && part <= 255)
    ? parts.reduce((sum, part) => sum * 256 + part, 0)
    : undefined
}

export const sinkholeAddress = (net: string): string => `${net}.2`

const Networks = z.array(
  z.looseObject({
    IPAM: z.looseObject({ Config: z.array(z.looseObject({ Subnet: z.string().optional() })).nullish() }).nullish(),
  }),
)

/** Subnets of every network that the engine has. */
export async function takenSubnets(engine: Dockerode): Promise<string[]> {
  const networks = Networks.parse(await engine.listNetworks())
  return networks.flatMap(({ IPAM }) => (IPAM?.Config ?? []).flatMap(({ Subnet }) => Subnet ?? []))
}

/** Of the engine, when somebody else took the net in the meantime. */
export const isOverlap = (error: unknown): boolean =>
  error instanceof Error && /overlaps with other one|Address already in use/i.test(error.message)

/** Addresses of victims, lent one by one. An address comes back last of all: what is late is not taken for another's. */
export class VictimAddresses {
  readonly #free: string[]

  constructor(net: string) {
    this.#free = Array.from({ length: lastVictim - firstVictim + 1 }, (_, index) => `${net}.${firstVictim + index}`)
  }

  /** @throws LandfallError `machine` when all are lent. */
  lend(): Disposable & { readonly address: string } {
    const address = this.#free.shift()
    if (address === undefined) throw new LandfallError('machine', 'more victims at once than the lab has addresses')
    return { address, [Symbol.dispose]: () => void this.#free.push(address) }
  }
}
