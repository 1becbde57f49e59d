import { mkdir, rename, writeFile } from 'node:fs/promises'
import { Server as SecureWebServer } from 'node:https'
import { createServer, Server as WebServer } from 'node:http'
import type { Server } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Authority } from './authority.ts'
import { Certificates } from './certificates.ts'
import { createControl } from './control.ts'
import { demonstration } from './demonstration.ts'
import { bindUdp, dnsOverTcp, dnsOverUdp } from './dns-server.ts'
import { Feed } from './feed.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { addressOf, bindPatiently, listen } from './listen.ts'
import { createOtherOrigin } from './other-origin.ts'
import { Senders } from './senders.ts'
import type { SinkholeSettings } from './settings.ts'
import { TrialRegistry } from './trials.ts'
import { createWebServer } from './web-server.ts'
import { Witness } from './witness.ts'

/** Puts the sinkhole together and opens its ports: the world on the lab's address, the control port elsewhere. */
export interface ServiceParts {
  readonly log: Logger
  readonly limits?: Limits
  /** Milliseconds since the epoch. */
  readonly now?: () => number
}

export interface StartedSinkhole extends AsyncDisposable {
  readonly httpPort: number
  readonly httpsPort: number
  readonly dnsPort: number
  readonly dnsTcpPort: number
  readonly controlPort: number
}

const sweepMs = 60_000

/** @throws LandfallError `machine` when a port cannot be had. Nothing stays open then. */
export async function startSinkhole(
  settings: SinkholeSettings,
  { log, limits = defaultLimits, now = Date.now }: ServiceParts,
): Promise<StartedSinkhole> {
  const { labAddress, caFolder } = settings
  await using stack = new AsyncDisposableStack()
  const feed = stack.use(new Feed(now))
  const trials = new TrialRegistry(limits, now)
  if (settings.manual) trials.register(demonstration(settings.demoSeed))
  const sweep = setInterval(() => trials.dropExpired(), sweepMs).unref()
  stack.defer(() => clearInterval(sweep))

  const onFault = (error: unknown) => log.error({ err: error }, 'a request failed')
  const authority = await Authority.create(now)
  await publish(caFolder, authority.certificate)
  const certificates = await Certificates.create(authority, limits.certificates, labAddress)
  const witness = new Witness({ trials, feed, log, now })
  const senders = new Senders({
    trials,
    mostPerAddress: Math.ceil(limits.connections / 2),
    onTurnedAway: ({ from, trial }) =>
      witness.fault({ over: 'http', from, detail: 'too many connections' }, Buffer.alloc(0), trial),
  })
  const otherOrigin = createOtherOrigin((error) => log.debug({ reason: error.message.slice(0, 300) }, 'turned away'))
  const world = { witness, trials, senders, limits, otherOrigin, onFault }
  const dns = { witness, trials, limits, address: labAddress }

  const open = async (server: Server, port: number, address: string) => {
    const bound = await listen(server, port, address)
    stack.defer(() => close(server))
    return bound
  }
  const httpPort = await open(createWebServer(world), settings.httpPort, labAddress)
  const httpsPort = await open(createWebServer(world, certificates), settings.httpsPort, labAddress)
  const dnsTcpPort = await open(dnsOverTcp(dns), settings.dnsPort, labAddress)
  const dnsPort = await bindPatiently(`${labAddress} UDP port ${settings.dnsPort}`, async () => {
    const socket = dnsOverUdp(dns)
    const bound = await bindUdp(socket, settings.dnsPort, labAddress)
    stack.defer(() => void socket.close())
    return bound
  })
  const { allowedHosts } = settings
  const control = createControl({ trials, feed, certificate: authority.certificate, allowedHosts, onFault })
  const controlServer = createServer((request, response) => void control(request, response))
  const controlPort = await open(controlServer, settings.controlPort, await addressOf(settings.controlHost))
  const opened = stack.move()
  return { httpPort, httpsPort, dnsPort, dnsTcpPort, controlPort, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Victims read it while it is replaced: it is there as a whole or not at all. */
async function publish(folder: string, certificate: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'ca.pem')
  await writeFile(`${file}.new`, certificate, { mode: 0o444 })
  await rename(`${file}.new`, file)
}

/** Stops listening and cuts what is open. */
async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  // A name server's connections end by themselves, within seconds.
  if (server instanceof WebServer || server instanceof SecureWebServer) {
    server.closeAllConnections()
    await promise
  }
}
