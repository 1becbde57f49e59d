import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Revision, TrialRegistration } from '@landfall/contracts'
import { deriveCanary, TrialEndpoint } from '@landfall/contracts'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import type { ServiceParts, StartedService } from '../service.ts'
import { startService } from '../service.ts'

const testEnvironment = { PORT: '0', CONTROL_PORT: '0', SERVE_PROFILE: 'adversarial', RATE_LIMIT: '0' }

/** For tests: a real service on free ports of the loopback, and the requests that tests make of it. */
export async function startTestService(
  parts: Partial<ServiceParts> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<StartedService> {
  const log = createLog('silent', { write: () => undefined })
  return await startService(readConfig({ ...testEnvironment, ...env }), { log, ...parts })
}

export function registrationOf(key: string, fixture: string, revision: Revision = 'index'): TrialRegistration {
  return { key, fixture, revision, canary: deriveCanary('test', key) }
}

export async function postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  return await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: raw })
}

/** Registers a trial and gives the address of its endpoint. */
export async function openTrial(
  service: StartedService,
  key: string,
  fixture: string,
  revision: Revision = 'index',
): Promise<string> {
  const response = await postJson(`${service.controlUrl}/trials`, registrationOf(key, fixture, revision))
  if (response.status !== 201) throw new Error(`registration answered ${response.status}: ${await response.text()}`)
  const { path } = TrialEndpoint.parse(await response.json())
  return service.mcpUrl + path
}

/** A request with a Host header of our choice, which `fetch` would not send. */
export async function getAs(url: string, host: string): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const outgoing = request(url, { headers: { host } }, (response) => {
    text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
  })
  outgoing.on('error', reject)
  outgoing.end()
  return await promise
}
