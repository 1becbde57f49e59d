import { readFile } from 'node:fs/promises'
import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import type { SelfTestTargets } from '@landfall/contracts'
import type { Probe } from './probe.ts'
import { codeOf, probe } from './probe.ts'

/** Probes of the network: what answers, what must not, and which names must lead nowhere. */
const limitMs = 2_000

export async function probeNetwork({ reachable, unreachable, sinkholed }: SelfTestTargets): Promise<Probe[]> {
  return await Promise.all([
    ...reachable.map(async ({ what, host, port }) => {
      const answer = await knock(host, port)
      return probe(`reach ${what}`, answer === 'open', `${host}:${port} ${answer}`)
    }),
    ...unreachable.map(async ({ what, host, port, mayRefuse }) => {
      const answer = await knock(host, port)
      const shut = answer !== 'open' && (mayRefuse || answer !== 'ECONNREFUSED')
      return probe(`not reach ${what}`, shut, `${host}:${port} ${answer}`)
    }),
    ...sinkholed.names.map(async (name) => {
      const addresses = await resolve(name)
      const trapped = addresses.length > 0 && addresses.every((address) => address === sinkholed.address)
      return probe(`resolve ${name} to the sinkhole only`, trapped, addresses.join(', '))
    }),
    noDefaultRoute(),
  ])
}

/** `open`, `silent` after the limit, or the code of the error. */
function knock(host: string, port: number): Promise<string> {
  return new Promise((answer) => {
    const socket = connect({ host, port })
    const end = (what: string) => {
      clearTimeout(timer)
      socket.destroy()
      answer(what)
    }
    const timer = setTimeout(end, limitMs, 'silent')
    socket.on('connect', () => end('open'))
    socket.on('error', (error) => end(codeOf(error)))
  })
}

/** Every address of a name, of either kind; what went wrong when there is none. */
async function resolve(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } catch (error) {
    return [codeOf(error)]
  }
}

async function noDefaultRoute(): Promise<Probe> {
  const lines = (await readFile('/proc/net/route', 'utf8')).trim().split('\n').slice(1)
  const routes = lines.filter((line) => line.split('\t')[1] === '00000000')
  return probe('no default route', routes.length === 0, `${routes.length} of ${lines.length} routes`)
}
