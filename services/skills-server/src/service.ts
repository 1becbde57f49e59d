import { setTimeout as delay } from 'node:timers/promises'
import { findFixture } from '@landfall/catalog'
import { deriveCanary, manualTrial } from '@landfall/contracts'
import type { Logger } from 'pino'
import { Catalogue } from './catalogue/catalogue.ts'
import type { Config } from './config.ts'
import type { Builders } from './fixtures/index.ts'
import { mcpApp } from './http/mcp-app.ts'
import { allowedNames, urlOf } from './http/names.ts'
import type { Listening } from './listen.ts'
import { addressOf, closeServer, listen } from './listen.ts'
import { createEndpoint } from './mcp/endpoint.ts'
import type { ServerParts } from './mcp/server.ts'
import type { Sources } from './sources.ts'
import { chosenBuilders, loadSources, singleBuilders } from './sources.ts'
import type { TrialLimits } from './trials/trial-store.ts'
import { defaultTrialLimits, TrialStore } from './trials/trial-store.ts'

/**
 * Puts the service together and starts it: the catalogue at `/mcp`, the trials, and the ports.
 */
export interface ServiceParts {
  readonly log: Logger
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  readonly limits?: TrialLimits
  readonly sources?: Sources
}

export interface StartedService extends AsyncDisposable {
  /** Where MCP is served, ending without a slash: `http://127.0.0.1:3940`. */
  readonly mcpUrl: string
  /** Empty where there is no control port. */
  readonly controlUrl: string
  /** Ends streams and connections, in well under two seconds. */
  stop(): Promise<void>
}

/** Characters of a reason that go into the log: it may repeat what a client has sent. */
const maxReason = 300
const sweepMs = 60_000
const graceMs = 1_000
/** Far more than any client needs, and little enough to hold. */
const maxConcurrency = 256

/** @throws LandfallError `machine` when a port cannot be had. Nothing stays open then. */
export async function startService(config: Config, parts: ServiceParts): Promise<StartedService> {
  const { log, now = Date.now, limits = defaultTrialLimits } = parts
  const sources = parts.sources ?? (await loadSources(config, log))
  const shared = chosenBuilders(sources, config)
  const onFailure = (method: string, error: unknown) => log.error({ method, err: error }, 'request failed')
  const onRejected = (error: Error) => log.warn({ reason: error.message.slice(0, maxReason) }, 'request turned away')

  const trials = new TrialStore({ builders: singleBuilders(sources), limits, now, onFailure, onRejected })
  const endpointOf = (catalogue: Catalogue) => createEndpoint(openParts(catalogue, onFailure), onRejected)
  const staticEndpoint = endpointOf(sharedCatalogue(config, shared))
  const endless = new Map(endlessCatalogues(config, shared).map(([id, each]) => [id, endpointOf(each)]))

  const { host, controlHost, controlPort } = config
  const [address, controlAddress] = await Promise.all([addressOf(host), addressOf(controlHost)])
  const allowedHosts = allowedNames([host, address, controlHost, controlAddress, ...config.allowedHosts])
  const httpLimits = { rate: config.rateLimit, concurrency: maxConcurrency, trustedProxies: config.trustedProxies }
  const base = { log, allowedHosts, anyHost: !config.checkHosts }
  const app = mcpApp({ ...base, trials, staticEndpoint, endless, limits: httpLimits })
  const mcp = await listen(app, address, config.port)
  let control: Listening | undefined
  try {
    if (controlPort !== undefined) {
      // Only here is the framework needed, which takes 8 MiB.
      const { controlApp } = await import('./http/control-app.ts')
      control = await listen(controlApp({ log, allowedHosts, trials }), controlAddress, controlPort)
    }
  } catch (error) {
    await closeServer(mcp)
    throw error
  }
  const sweep = setInterval(() => trials.dropExpired(), sweepMs).unref()

  const stop = async () => {
    clearInterval(sweep)
    const ended = Promise.allSettled(
      [staticEndpoint, ...endless.values(), trials].map(async (part) => await part.close()),
    )
    await Promise.race([ended, delay(graceMs, undefined, { ref: false })])
    await Promise.all([mcp, control].map(async (port) => port && (await closeServer(port))))
  }
  const controlUrl = control === undefined ? '' : urlOf(control)
  return { mcpUrl: urlOf(mcp), controlUrl, stop, [Symbol.asyncDispose]: stop }
}

/** What is served to everybody, over whatever transport. */
export function openParts(catalogue: Catalogue, onFailure: ServerParts['onFailure']): ServerParts {
  return { catalogue, onFailure, tools: true }
}

/** Everything that can be listed together; a fixture that cannot is only in it when it is the only one. */
export function sharedCatalogue({ demoSeed, revisions }: Config, builders: Builders): Catalogue {
  return new Catalogue(builders, deriveCanary(demoSeed, manualTrial), { revisions, shared: builders.size > 1 })
}

function endlessCatalogues(config: Config, builders: Builders): [string, Catalogue][] {
  return [...builders]
    .filter(([id]) => findFixture(id)?.endpoint === 'own')
    .map(([id, build]) => [id, sharedCatalogue(config, new Map([[id, build]]))])
}
