import { randomBytes } from 'node:crypto'
import { decoys, decoyToken, decoyTokens } from '@landfall/catalog'
import {
  type ControlResult,
  deriveCanary,
  KnownActsReport,
  Observation,
  type ObservationEnd,
  type ObservationRequest,
  ObservationStarted,
  Quiet,
  SinkholeRecord,
  type SinkholeRegistration,
  victimLayout,
} from '@landfall/contracts'
import type Dockerode from 'dockerode'
import { z } from 'zod'
import { messageOf } from '../engine.ts'
import { requestJson } from '../http-client.ts'
import type { Observer, StartedLab } from '../lab.ts'
import { Victim } from '../victim.ts'
import { type KnownDoings, knownDoings } from './acts.ts'
import { checkAwake, type Told } from './awake.ts'

/**
 * The control of the witnesses, in every run: the lab does known things in a victim of its own, observed as a trial
 * is, and every witness must tell of them.
 */
export interface WitnessCheck {
  readonly engine: Dockerode
  readonly lab: StartedLab
  readonly seed: number
  /** Ask the second witness too. */
  readonly crossCheck: boolean
  readonly signal: AbortSignal
  /** Tests put something that sees nothing in the place of a witness. */
  readonly retell?: (told: Told) => Told
}

/** Never throws for what a witness does: one that does not answer is asleep, too. */
export async function checkWitnesses(check: WitnessCheck): Promise<ControlResult> {
  const doings = knownDoings(deriveCanary(String(check.seed), 'witnesses'), true)
  try {
    const told = await observeDoings(doings, check)
    return checkAwake(doings, check.retell?.(told) ?? told)
  } catch (error) {
    check.signal.throwIfAborted()
    return { name: 'witnesses', passed: false, detail: `a witness did not answer: ${messageOf(error)}` }
  }
}

const limitSeconds = 90

async function observeDoings(doings: KnownDoings, { engine, lab, seed, crossCheck, signal }: WitnessCheck) {
  const [observer] = lab.observers
  if (observer === undefined) throw new Error('there is no observer')
  const key = `witnesses-${randomBytes(12).toString('hex')}`
  const canary = deriveCanary(String(seed), 'witnesses')
  await using stack = new AsyncDisposableStack()
  const address = stack.use(lab.addresses.lend()).address
  const registration: SinkholeRegistration = {
    key,
    address,
    tokens: [...doings.tokens, ...decoyTokens(canary)],
    answers: [],
  }
  await requestJson(lab.sinkhole.url, 'POST', '/trials', SinkholeRecord, { body: registration, signal })
  stack.defer(() => forget(lab.sinkhole.url, `/trials/${key}`))
  const identity = {
    name: lab.victimName(key),
    trial: 'witnesses',
    marker: key,
    user: 'agent' as const,
    observer: observer.container,
    network: lab.network,
    address,
    maskedPaths: lab.maskedPaths,
    labels: lab.labels,
  }
  const command = ['landfall-host', 'act', '--plan', JSON.stringify(doings.acts), '--go', 'stdin']
  const victim = stack.use(await Victim.create(engine, lab.victim, identity, canary, command))
  await victim.start()
  const { home } = victimLayout('agent')
  const body: ObservationRequest = {
    trial: key,
    marker: key,
    tokens: [...doings.tokens],
    decoys: decoys.map(({ name, path }) => ({ name, path: `${home}/${path}`, token: decoyToken(canary, name) })),
  }
  stack.defer(() => forget(observer.url, `/observations/${key}`))
  await requestJson(observer.url, 'POST', '/observations', ObservationStarted, { body, signal })
  const [output, observation] = await Promise.all([
    victim.run({ limitSeconds, signal }),
    observeEnd(observer, key, signal),
  ])
  const sinkhole = await requestJson(lab.sinkhole.url, 'DELETE', `/trials/${key}`, SinkholeRecord)
  const changes = crossCheck ? { engine: await victim.changes() } : {}
  return { observation, sinkhole, ...changes, failures: failuresOf(output) } satisfies Told
}

async function observeEnd({ url }: Observer, key: string, signal: AbortSignal): Promise<Observation> {
  const post = <S extends z.ZodType>(what: string, schema: S, body: unknown) =>
    requestJson(url, 'POST', `/observations/${key}/${what}`, schema, { body, signal })
  // The victim is killed at its limit, so this ends.
  while (!(await post('quiet', Quiet, { waitMs: 20_000 })).quiet);
  return await post('end', Observation, { deliveries: [] } satisfies ObservationEnd)
}

/** A victim that left no report did not do what the witnesses are asked about. */
function failuresOf({ stdout, stderr, timedOut }: { stdout: string; stderr: string; timedOut: boolean }): string[] {
  try {
    return KnownActsReport.parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).failures
  } catch {
    return [timedOut ? `it did not end within ${limitSeconds} s` : `it left no report: ${stderr.trim()}`]
  }
}

async function forget(base: string, path: string): Promise<void> {
  await requestJson(base, 'DELETE', path, z.unknown(), { timeoutMs: 5_000 }).catch(() => undefined)
}
