import { findFixture } from '@landfall/catalog'
import type { Revision, ServedArchive, TrialRecord, TrialRegistration } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts'
import { Catalogue } from '../catalogue/catalogue.ts'
import type { Answer, Asked } from '../delivery/answer.ts'
import { deliver } from '../delivery/deliver.ts'
import type { Builders } from '../fixtures/index.ts'
import type { McpEndpoint } from '../mcp/endpoint.ts'
import { createEndpoint } from '../mcp/endpoint.ts'
import { clip } from '../mcp/exchange.ts'
import type { ServerParts } from '../mcp/server.ts'
import { AccessLog } from './access-log.ts'

/**
 * The trials that are under way. Each has an endpoint of its own, limited to its fixture and stamped with
 * its canary, which ends with the trial or at a time limit.
 */
export interface TrialLimits {
  /** Milliseconds after which a trial that nobody ended is dropped. */
  readonly lifetimeMs: number
  readonly maxTrials: number
  /** Entries of the access log of one trial. */
  readonly maxAccessEntries: number
}

export const defaultTrialLimits: TrialLimits = {
  lifetimeMs: 30 * 60 * 1000,
  maxTrials: 1_000,
  maxAccessEntries: 10_000,
}

export interface TrialStoreParts {
  readonly builders: Builders
  readonly limits: TrialLimits
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly onFailure: ServerParts['onFailure']
  readonly onRejected: (error: Error) => void
}

interface Trial {
  readonly fixture: string
  readonly catalogue: Catalogue
  readonly access: AccessLog
  readonly endpoint: McpEndpoint
  readonly expiresAt: number
}

export class TrialStore {
  readonly #parts: TrialStoreParts
  readonly #trials = new Map<string, Trial>()

  constructor(parts: TrialStoreParts) {
    this.#parts = parts
  }

  /**
   * Opens a trial's endpoint.
   *
   * @throws LandfallError `invalid` for a key that exists or a revision in which the fixture means nothing,
   *   `unknown` for a fixture that is not in the catalogue, `machine` when too many trials are open.
   */
  register({ key, fixture, revision, canary }: TrialRegistration): void {
    this.dropExpired()
    const build = this.#parts.builders.get(fixture)
    if (build === undefined) {
      throw new LandfallError('unknown', `No such fixture: ${fixture}`, { kind: 'fixture', name: fixture })
    }
    refuseInert(fixture, revision)
    if (this.#trials.has(key))
      throw new LandfallError('invalid', `Trial exists already: ${key}`, { reason: 'duplicate', key })
    const { limits, now, onFailure, onRejected } = this.#parts
    if (this.#trials.size >= limits.maxTrials) {
      throw new LandfallError('machine', `Too many trials are open: ${limits.maxTrials}`, { limit: limits.maxTrials })
    }
    const catalogue = new Catalogue(new Map([[fixture, build]]), canary, { revisions: [revision] })
    const access = new AccessLog(limits.maxAccessEntries, now)
    const observe: ServerParts['observe'] = (exchange) => access.add(exchange)
    const endpoint = createEndpoint({ catalogue, observe, onFailure }, onRejected)
    this.#trials.set(key, { fixture, catalogue, access, endpoint, expiresAt: now() + limits.lifetimeMs })
  }

  /** The endpoint of a trial that is still open. */
  endpoint(key: string): McpEndpoint | undefined {
    this.dropExpired()
    return this.#trials.get(key)?.endpoint
  }

  /** Answers a request outside of MCP and writes it down; `undefined` for a trial that is not open. */
  async deliver(key: string, asked: Asked): Promise<Answer | undefined> {
    this.dropExpired()
    const trial = this.#trials.get(key)
    if (trial === undefined) return undefined
    const { skills } = await trial.catalogue.contents()
    const answer = deliver(skills, asked)
    trial.access.add({
      method: asked.method,
      uri: clip(`/${asked.path.join('/')}`),
      bytes: answer.payload === true ? answer.bytes.length : 0,
      ...(answer.payload === true ? { payload: true } : {}),
      ...(answer.status >= 400 ? { error: answer.status } : {}),
    })
    return answer
  }

  /** Builds everything the trial offers, and says which archives are in it. @throws LandfallError `unknown` */
  async archives(key: string): Promise<ServedArchive[]> {
    const { catalogue } = this.#open(key)
    await catalogue.contents()
    return await catalogue.offeredArchives()
  }

  /** What the trial's endpoint has been asked so far. @throws LandfallError `unknown` */
  async record(key: string): Promise<TrialRecord> {
    this.dropExpired()
    return await recordOf(key, this.#open(key))
  }

  /** Closes the endpoint and gives the record a last time. @throws LandfallError `unknown` */
  async remove(key: string): Promise<TrialRecord> {
    this.dropExpired()
    const trial = this.#open(key)
    this.#trials.delete(key)
    await trial.endpoint.close()
    return await recordOf(key, trial)
  }

  /** Forgets trials that nobody ended. */
  dropExpired(): void {
    const time = this.#parts.now()
    for (const [key, { expiresAt }] of this.#trials) if (expiresAt <= time) this.#drop(key)
  }

  /** Closes every endpoint. */
  async close(): Promise<void> {
    const endpoints = [...this.#trials.values()].map(({ endpoint }) => endpoint)
    this.#trials.clear()
    await Promise.allSettled(endpoints.map(async (endpoint) => await endpoint.close()))
  }

  #open(key: string): Trial {
    const trial = this.#trials.get(key)
    if (trial === undefined) throw new LandfallError('unknown', `No such trial: ${key}`, { kind: 'trial', name: key })
    return trial
  }

  #drop(key: string): void {
    const trial = this.#trials.get(key)
    this.#trials.delete(key)
    trial?.endpoint.close().catch((error: unknown) => this.#parts.onFailure('close', error))
  }
}

/** A fixture that a revision cannot express would look like one that every host blocks (fact sheet, part C). */
function refuseInert(fixture: string, revision: Revision): void {
  const row = findFixture(fixture)
  if (row === undefined || row.action === 'accept' || row.clauses[revision] !== undefined) return
  const message = `Fixture ${fixture} means nothing in the ${revision} revision`
  throw new LandfallError('invalid', message, { field: 'revision', fixture, revision })
}

async function recordOf(key: string, { fixture, catalogue, access }: Trial): Promise<TrialRecord> {
  const archives = await catalogue.offeredArchives()
  return { key, fixture, access: access.entries, archives, droppedEntries: access.dropped }
}
