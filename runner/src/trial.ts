import { decoys, decoyToken, fixtureTokens } from '@landfall/catalog'
import {
  Observation,
  type ObservationEnd,
  type ObservationRequest,
  ObservationStarted,
  skillDestination,
  TrialEndpoint,
  trialPath,
  TrialRecord,
  type TrialRegistration,
  type TrialResult,
  victimLayout,
} from '@landfall/contracts'
import type Dockerode from 'dockerode'
import { z } from 'zod'
import { requestJson } from './http-client.ts'
import { judge } from './judge.ts'
import type { Observer, StartedLab } from './lab.ts'
import type { PlannedTrial } from './plan.ts'
import { type StepLog, type StepOutput, Victim } from './victim.ts'
import { compareWitnesses, type Disagreement, type EngineChange } from './witness-engine.ts'

/**
 * One trial, from a planned to a judged one. The order of the steps is the design's; what can overlap does.
 */
export interface TrialContext {
  readonly engine: Dockerode
  readonly lab: StartedLab
  /** The observer whose PID namespace this trial has to itself. */
  readonly observer: Observer
  /** Unguessable key of the trial's endpoint and marker of its victim. */
  readonly key: string
  readonly signal: AbortSignal
  /** Ask the second witness too. Slow on large images. */
  readonly crossCheck: boolean
}

export interface PreparedTrial {
  readonly trial: PlannedTrial
  readonly victim: Victim
  readonly started: ObservationStarted
  /** What the second witness saw before the host's first step; absent without a cross-check. */
  readonly engineBefore: readonly EngineChange[] | undefined
}

interface InstallLimits {
  readonly name: 'install'
  readonly limitSeconds: number
  readonly commandLimitSeconds: number
}

export interface RanTrial extends PreparedTrial {
  readonly output: StepOutput & InstallLimits
}

export interface ObservedTrial extends Omit<RanTrial, 'victim' | 'output'> {
  readonly install: StepLog & InstallLimits
  readonly observation: Observation
  readonly record: TrialRecord
  /** Where the witnesses disagree; absent without a cross-check. */
  readonly disagreements: readonly Disagreement[] | undefined
}

/** Parts of a trial whose time is taken, in milliseconds. */
export const trialPhases = ['create', 'begin', 'install', 'end', 'remove'] as const
export type Phase = (typeof trialPhases)[number]

export interface JudgedTrial {
  readonly result: TrialResult
  readonly timings: Readonly<Record<Phase, number>>
  readonly observed: ObservedTrial
}

/** How long the processes of a victim may take to end once its own command has. */
const exitGraceMs = 10_000

/** Time the lab itself may take around a host's own limit. */
const graceSeconds = 20

export async function runTrial(trial: PlannedTrial, context: TrialContext): Promise<JudgedTrial> {
  const begin = performance.now()
  const timings: Record<Phase, number> = { create: 0, begin: 0, install: 0, end: 0, remove: 0 }
  let last = begin
  const lap = (phase: Phase) => {
    timings[phase] = performance.now() - last
    last = performance.now()
  }
  context.signal.throwIfAborted()
  const observed = await (async () => {
    // Whatever was made is unmade in reverse, also when a step fails half-way.
    await using stack = new AsyncDisposableStack()
    const victim = await registerAndCreate(trial, context, stack)
    lap('create')
    const prepared = await prepare(trial, victim, context, stack)
    lap('begin')
    const ran = await install(prepared, context)
    lap('install')
    const seen = await observe(ran, context)
    lap('end')
    return seen
  })()
  lap('remove')
  return { observed, timings, result: toResult(observed, performance.now() - begin) }
}

async function registerAndCreate(
  trial: PlannedTrial,
  context: TrialContext,
  stack: AsyncDisposableStack,
): Promise<Victim> {
  const { engine, lab, observer, key, signal } = context
  const body: TrialRegistration = { key, fixture: trial.fixture.id, revision: trial.revision, canary: trial.canary }
  const identity = {
    trial: trial.id,
    marker: key,
    user: trial.user,
    observer: observer.container,
    network: lab.network,
    maskedPaths: lab.maskedPaths,
    labels: lab.labels,
  }
  const url = new URL(trialPath(key), lab.mcpOrigin).href
  const profile = JSON.stringify(trial.host)
  const command = ['landfall-host', 'install', '--profile', profile, '--url', url, '--format', trial.format, '--json']
  const [endpoint, victim] = await Promise.allSettled([
    requestJson(lab.controlUrl, 'POST', '/trials', TrialEndpoint, { body, signal }),
    Victim.create(engine, lab.victim, identity, trial.canary, command),
  ])
  if (victim.status === 'fulfilled') stack.use(victim.value)
  if (endpoint.status === 'rejected') throw endpoint.reason
  stack.defer(() => forget(lab.controlUrl, `/trials/${key}`))
  if (victim.status === 'rejected') throw victim.reason
  return victim.value
}

async function prepare(
  trial: PlannedTrial,
  victim: Victim,
  context: TrialContext,
  stack: AsyncDisposableStack,
): Promise<PreparedTrial> {
  const { home } = victimLayout(trial.user)
  await victim.start()
  const body: ObservationRequest = {
    trial: context.key,
    marker: context.key,
    tokens: fixtureTokens(trial.fixture, trial.canary),
    decoys: decoys.map(({ name, path }) => ({ name, path: `${home}/${path}`, token: decoyToken(trial.canary, name) })),
  }
  const { observer, signal } = context
  stack.defer(() => forget(observer.url, `/observations/${context.key}`))
  const started = await requestJson(observer.url, 'POST', '/observations', ObservationStarted, { body, signal })
  const engineBefore = context.crossCheck ? await victim.changes() : undefined
  return { trial, victim, started, engineBefore }
}

async function install(prepared: PreparedTrial, { signal }: TrialContext): Promise<RanTrial> {
  const { trial, victim } = prepared
  const step = trial.host.install.find(({ format }) => format === trial.format)
  const commandLimitSeconds = step?.timeoutSeconds ?? 60
  const limitSeconds = commandLimitSeconds * trial.fixture.skills.length + graceSeconds
  const output = await victim.run({ limitSeconds, signal })
  signal.throwIfAborted()
  return { ...prepared, output: { ...output, name: 'install', limitSeconds, commandLimitSeconds } }
}

/**
 * The *after* manifest is taken when the victim's last process is gone, so nothing changes any more. The engine
 * takes the container apart at the same time.
 */
async function observe({ victim, output, ...ran }: RanTrial, context: TrialContext): Promise<ObservedTrial> {
  const { lab, observer, key } = context
  const end = async () => {
    const record = await requestJson(lab.controlUrl, 'GET', `/trials/${key}`, TrialRecord)
    const body: ObservationEnd = { deliveries: record.archives.map(({ sha256 }) => sha256), awaitExitMs: exitGraceMs }
    const path = `/observations/${key}/end`
    return { record, observation: await requestJson(observer.url, 'POST', path, Observation, { body }) }
  }
  const [{ record, observation }, code] = await Promise.all([end(), victim.exitCode()])
  const exitCode = output.timedOut ? null : code
  const disagreements =
    ran.engineBefore && compareWitnesses(observation.changes, ran.engineBefore, await victim.changes())
  return { ...ran, install: { ...output, exitCode }, record, observation, disagreements }
}

function toResult(
  { trial, install, observation, record, disagreements }: ObservedTrial,
  durationMs: number,
): TrialResult {
  const layout = victimLayout(trial.user)
  const judgement = judge({
    fixture: trial.fixture,
    revision: trial.revision,
    skillDirectories: trial.fixture.skills.map((skill) => skillDestination(layout, skill)),
    install,
    observation,
    access: record.access,
    disagreements: disagreements ?? [],
  })
  return {
    id: trial.id,
    fixture: trial.fixture.id,
    host: trial.host.id,
    channel: trial.channel,
    user: trial.user,
    outcome: judgement.outcome,
    verdict: judgement.verdict,
    reason: judgement.reason,
    sites: [...judgement.sites],
    durationMs: Math.round(durationMs),
    evidence: `trials/${trial.id}/`,
  }
}

/** Drops something on a service. Best effort: it may be gone already, and services drop it by themselves later. */
async function forget(base: string, path: string): Promise<void> {
  await requestJson(base, 'DELETE', path, z.unknown(), { timeoutMs: 5_000 }).catch(() => undefined)
}
