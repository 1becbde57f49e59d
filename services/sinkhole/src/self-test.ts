import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { SelfTestProbes } from '@landfall/contracts'

/**
 * Run inside the container, as `self-test.ts <address> <port>`: that the sinkhole can do nothing but what it is for,
 * and that no route leads to an outside address. Prints what it found as one line of JSON.
 */
const [host = '', port = ''] = process.argv.slice(2)
const limitMs = 2_000

const status = new Map(
  (await readFile('/proc/self/status', 'utf8')).split('\n').map((line): [string, string] => {
    const [name = '', ...value] = line.split(':')
    return [name, value.join(':').trim()]
  }),
)
const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']
const held = sets.filter((name) => !/^0+$/.test(status.get(name) ?? ''))
const routes = (await readFile('/proc/net/route', 'utf8')).trim().split('\n').slice(1)
const ways = routes.filter((line) => line.split('\t')[1] === '00000000')
const answer = await knock()

const probes: SelfTestProbes = [
  { probe: 'no capability', passed: held.length === 0, detail: held.join(', ') },
  { probe: 'no new privileges', passed: status.get('NoNewPrivs') === '1', detail: String(status.get('NoNewPrivs')) },
  { probe: 'not root', passed: process.getuid?.() !== 0, detail: `uid ${String(process.getuid?.())}` },
  { probe: 'no default route', passed: ways.length === 0, detail: `${ways.length} of ${routes.length} routes` },
  { probe: `not reach ${host}`, passed: answer === 'ENETUNREACH', detail: answer },
]
process.stdout.write(`${JSON.stringify(probes)}\n`)

/** `open`, `silent` after the limit, or the code of the error. */
function knock(): Promise<string> {
  return new Promise((done) => {
    const socket = connect({ host, port: Number(port) })
    const end = (what: string) => {
      clearTimeout(timer)
      socket.destroy()
      done(what)
    }
    const timer = setTimeout(end, limitMs, 'silent')
    socket.on('connect', () => end('open'))
    socket.on('error', (error) => end('code' in error ? String(error.code) : error.message))
  })
}
