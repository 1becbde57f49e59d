import { setTimeout as delay } from 'node:timers/promises'
import { findFixture } from '@landfall/catalog'
import { deriveCanary, manualTrial } from '@landfall/contracts'
import { localhostAllowedHostnames } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import { Catalogue } from './catalogue/catalogue.ts'
import type { Config } from './config.ts'
import type { Builders } from './fixtures/index.ts'
import { loadBuilders } from './fixtures/index.ts'
import { controlApp } from './http/control-app.ts'
import { mcpApp } from './http/mcp-app.ts'
import type { Listening } from './listen.ts'
import { addressOf, closeServer, listen } from './listen.ts'
import { createEndpoint } from './mcp/endpoint.ts'
import type { TrialLimits } from './trials/trial-store.ts'
import { defaultTrialLimits, TrialStore } from './trials/trial-store.ts'

/**
 * Puts the service together and starts it: the catalogue at `/mcp`, the trials, and the two ports.
 */
export interface ServiceParts {
  readonly log: Logger
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  readonly limits?: TrialLimits
  readonly builders?: Builders
}

export interface StartedService extends AsyncDisposable {
  /** Where MCP is served, ending without a slash: `http://127.0.0.1:3940`. */
  readonly mcpUrl: string
  readonly controlUrl: string
  /** Ends streams and connections, in well under two seconds. */
  stop(): Promise<void>
}

const sweepMs = 60_000
const graceMs = 1_000
/** Addresses to listen on, which nobody can be addressed by. */
const wildcards = new Set(['0.0.0.0', '::'])

/** @throws LandfallError `machine` when a port cannot be had. Nothing stays open then. */
export async function startService(config: Config, parts: ServiceParts): Promise<StartedService> {
  const { log, now = Date.now, limits = defaultTrialLimits } = parts
  const builders = parts.builders ?? (await loadBuilders())
  const onFailure = (method: string, error: unknown) => log.error({ method, err: error }, 'request failed')
  const onRejected = (error: Error) => log.warn({ reason: error.message }, 'request turned away')

  const trials = new TrialStore({ builders, limits, now, onFailure, onRejected })
  const canary = deriveCanary(config.demoSeed, manualTrial)
  const endpointOf = (catalogue: Catalogue) =>
    createEndpoint({ catalogue, observe: () => undefined, onFailure }, onRejected)
  const staticEndpoint = endpointOf(new Catalogue(builders, canary, { shared: true }))
  const endless = new Map(
    [...builders]
      .filter(([id]) => findFixture(id)?.endpoint === 'own')
      .map(([id, build]) => [id, endpointOf(new Catalogue(new Map([[id, build]]), canary))]),
  )

  const [address, controlAddress] = await Promise.all([addressOf(config.host), addressOf(config.controlHost)])
  const names = [config.host, address, config.controlHost, controlAddress, ...config.allowedHosts]
  const allowedHosts = [...localhostAllowedHostnames(), ...names.filter((name) => !wildcards.has(name)).map(urlHost)]
  const control = await listen(controlApp({ log, allowedHosts, trials }), controlAddress, config.controlPort)
  let mcp: Listening
  try {
    mcp = await listen(mcpApp({ log, allowedHosts, trials, staticEndpoint, endless }), address, config.port)
  } catch (error) {
    await closeServer(control)
    throw error
  }
  const sweep = setInterval(() => trials.dropExpired(), sweepMs).unref()

  const stop = async () => {
    clearInterval(sweep)
    const ended = Promise.allSettled(
      [staticEndpoint, ...endless.values(), trials].map(async (part) => await part.close()),
    )
    await Promise.race([ended, delay(graceMs, undefined, { ref: false })])
    await Promise.all([closeServer(mcp), closeServer(control)])
  }
  return { mcpUrl: urlOf(mcp), controlUrl: urlOf(control), stop, [Symbol.asyncDispose]: stop }
}

function urlOf({ address, port }: Listening): string {
  return `http://${urlHost(address)}:${port}`
}

/** In a URL, and in a Host header, an IPv6 address stands in brackets. */
function urlHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}
