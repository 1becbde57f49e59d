import { decoys, decoyToken, fixtureTokens } from '@landfall/catalog'
import {
  type ArchiveFormat,
  deliveryPath,
  type HostProfile,
  Observation,
  type ObservationEnd,
  type ObservationRequest,
  ObservationStarted,
  Quiet,
  type SinkholeRecord,
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
import type { SinkholeGone, UseEnd } from './judge/evidence.ts'
import { judge } from './judge/judge.ts'
import type { Observer, StartedLab } from './lab.ts'
import { keptDirectories, namedDirectories, withoutScratch } from './kept.ts'
import type { PlannedTrial } from './plan.ts'
import { registerWithSinkhole, takeSinkholeRecord } from './sinkhole.ts'
import { splitOutput } from './step-output.ts'
import { type StepLog, Victim } from './victim.ts'
import { compareWitnesses, countCompared, type Disagreement, type EngineChange } from './witness-engine.ts'

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
  /** What each host has said of its version, for its report; asked before, since to ask is to run it. */
  readonly versions?: Readonly<Record<string, string>>
  /** Ask the second witness too. Slow on large images. */
  readonly crossCheck: boolean
}

export interface PreparedTrial {
  readonly trial: PlannedTrial
  readonly victim: Victim
  readonly started: ObservationStarted
  /** Digests of what the server delivers: the archives themselves are no landings. */
  readonly deliveries: ObservationEnd['deliveries']
  /** What the second witness saw before the host's first step; absent without a cross-check. */
  readonly engineBefore: readonly EngineChange[] | undefined
}

export interface ObservedTrial extends Omit<PreparedTrial, 'victim'> {
  readonly install: StepLog & {
    readonly name: 'install'
    readonly limitSeconds: number
    readonly commandLimitSeconds: number
  }
  /** Of a trial in which the agent was to use the skill. */
  readonly use?: UseEnd
  readonly observation: Observation
  readonly record: TrialRecord
  /** What the victim sent to the world outside. */
  readonly sent: SinkholeRecord | SinkholeGone
  /** Where the witnesses disagree; absent without a cross-check. */
  readonly disagreements: readonly Disagreement[] | undefined
  /** How many paths the witnesses were compared in. */
  readonly compared: number | undefined
}

/** Parts of a trial whose time is taken, in milliseconds. */
export const trialPhases = ['create', 'begin', 'install', 'remove'] as const
export type Phase = (typeof trialPhases)[number]

export interface JudgedTrial {
  readonly result: TrialResult
  readonly timings: Readonly<Record<Phase, number>>
  readonly observed: ObservedTrial
}

/** Time the lab itself may take around a host's own limit. */
const graceSeconds = 20

export async function runTrial(trial: PlannedTrial, context: TrialContext): Promise<JudgedTrial> {
  const begin = performance.now()
  const timings: Record<Phase, number> = { create: 0, begin: 0, install: 0, remove: 0 }
  let last = begin
  const lap = (phase: Phase) => {
    timings[phase] = performance.now() - last
    last = performance.now()
  }
  context.signal.throwIfAborted()
  const observed = await (async () => {
    // Whatever was made is unmade in reverse, also when a step fails half-way.
    await using stack = new AsyncDisposableStack()
    // What a trial that goes to its end closes by itself.
    await using undo = new AsyncDisposableStack()
    const { victim, endpoint } = await registerAndCreate(trial, context, stack, undo)
    lap('create')
    const prepared = await prepare(trial, victim, endpoint, context, undo)
    lap('begin')
    const seen = await install(prepared, context)
    lap('install')
    undo.move()
    return seen
  })()
  lap('remove')
  return { observed, timings, result: toResult(observed, performance.now() - begin) }
}

async function registerAndCreate(
  trial: PlannedTrial,
  context: TrialContext,
  stack: AsyncDisposableStack,
  undo: AsyncDisposableStack,
): Promise<{ victim: Victim; endpoint: TrialEndpoint }> {
  const { engine, lab, observer, key, signal } = context
  const body: TrialRegistration = { key, fixture: trial.fixture.id, revision: trial.revision, canary: trial.canary }
  const identity = {
    name: lab.victimName(key),
    trial: trial.id,
    marker: key,
    user: trial.user,
    observer: observer.container,
    network: lab.network,
    maskedPaths: lab.maskedPaths,
    labels: lab.labels,
    address: stack.use(lab.addresses.lend()).address,
  }
  const url = new URL(trialPath(key), lab.mcpOrigin).href
  const { host, fetch } = trial
  // Of a host that fetches in several ways, the one that was planned.
  const profile = JSON.stringify(fetch === undefined ? host : { ...host, fetch: [fetch] })
  const way = wayOf(trial, key, lab.mcpOrigin)
  const version = context.versions?.[trial.host.id]
  // One that begins like an option would be read as one.
  const told = version === undefined || version.startsWith('-') ? [] : ['--host-version', version]
  const asked = ['--profile', profile, ...told, '--url', url, ...way]
  const use = trial.use === undefined ? [] : ['--use', JSON.stringify(trial.use)]
  const command = ['landfall-host', 'install', ...asked, ...use, '--go', 'stdin', '--json']
  const [endpoint, sinkhole, victim] = await Promise.allSettled([
    requestJson(lab.controlUrl, 'POST', '/trials', TrialEndpoint, { body, signal }),
    registerWithSinkhole(lab.sinkhole.url, trial, { key, address: identity.address }, signal),
    Victim.create(engine, lab.victimOf(trial.host), identity, trial.canary, command),
  ])
  if (victim.status === 'fulfilled') stack.use(victim.value)
  if (endpoint.status === 'rejected') throw endpoint.reason
  undo.defer(() => forget(lab.controlUrl, `/trials/${key}`))
  if (sinkhole.status === 'rejected') throw sinkhole.reason
  undo.defer(() => forget(lab.sinkhole.url, `/trials/${key}`))
  if (victim.status === 'rejected') throw victim.reason
  return { victim: victim.value, endpoint: endpoint.value }
}

/** How the skill comes to the host: by addresses that it fetches from, over MCP, or as a file. */
function wayOf({ fetch, format, channel, fixture }: PlannedTrial, key: string, origin: string): string[] {
  if (fetch === undefined) return format === undefined ? ['--channel', channel] : ['--format', format]
  const sources = [...new Set(fixture.skills)].map((skill) => ({
    skill,
    url: new URL(deliveryPath(key, fetch.channel, skill, fetch.format), origin).href,
  }))
  return ['--channel', channel, '--sources', JSON.stringify(sources)]
}

async function prepare(
  trial: PlannedTrial,
  victim: Victim,
  endpoint: TrialEndpoint,
  context: TrialContext,
  undo: AsyncDisposableStack,
): Promise<PreparedTrial> {
  const { home } = victimLayout(trial.user)
  await victim.start()
  const body: ObservationRequest = {
    trial: context.key,
    marker: context.key,
    tokens: fixtureTokens(trial.fixture, trial.canary),
    decoys: decoys.map(({ name, path }) => ({ name, path: `${home}/${path}`, token: decoyToken(trial.canary, name) })),
    about: {
      id: trial.id,
      fixture: trial.fixture.id,
      host: trial.host.id,
      channel: trial.channel,
      user: trial.user,
    },
  }
  const { observer, signal } = context
  undo.defer(() => forget(observer.url, `/observations/${context.key}`))
  const started = await requestJson(observer.url, 'POST', '/observations', ObservationStarted, { body, signal })
  const engineBefore = context.crossCheck ? await victim.changes() : undefined
  const deliveries = endpoint.archives.map(({ sha256 }) => sha256)
  return { trial, victim, started, deliveries, engineBefore }
}

/**
 * Lets the host go on and observes its end. The *after* manifest is taken as soon as the victim's last process
 * is gone, so that nothing changes any more, while the engine still takes the container apart.
 */
async function install({ victim, ...prepared }: PreparedTrial, context: TrialContext): Promise<ObservedTrial> {
  const { trial, deliveries, engineBefore } = prepared
  const step = trial.fetch ?? (trial.format === undefined ? trial.host.connect : stepOf(trial.host, trial.format))
  const commandLimitSeconds = step?.timeoutSeconds ?? 60
  const useSeconds = trial.use?.timeoutSeconds ?? 0
  const limitSeconds = commandLimitSeconds * trial.fixture.skills.length + useSeconds + graceSeconds
  const [output, observation] = await Promise.all([
    victim.run({ limitSeconds, signal: context.signal }),
    observeEnd(deliveries, context),
  ])
  context.signal.throwIfAborted()
  const [record, sent, code] = await Promise.all([
    requestJson(context.lab.controlUrl, 'DELETE', `/trials/${context.key}`, TrialRecord),
    takeSinkholeRecord(context.lab.sinkhole.url, context.key),
    victim.exitCode(),
  ])
  const engineAfter = engineBefore && (await victim.changes())
  const engine = engineBefore && engineAfter && ([engineBefore, engineAfter] as const)
  const disagreements = engine && compareWitnesses(observation.changes, ...engine)
  const compared = engine && countCompared(observation.changes, ...engine)
  const exitCode = output.timedOut ? null : code
  const { install: stdout, use: report } = splitOutput(output.stdout)
  const installed = { ...output, stdout, exitCode, name: 'install' as const, limitSeconds, commandLimitSeconds }
  const use = trial.use && { limitSeconds: useSeconds, ...(report === undefined ? {} : { report }) }
  return {
    ...prepared,
    install: installed,
    ...(use === undefined ? {} : { use }),
    record,
    sent,
    observation,
    disagreements,
    compared,
  }
}

const stepOf = ({ install: steps }: HostProfile, format: ArchiveFormat) => steps.find((step) => step.format === format)

async function observeEnd(deliveries: ObservationEnd['deliveries'], context: TrialContext): Promise<Observation> {
  const { observer, key, signal } = context
  const post = <S extends z.ZodType>(what: string, schema: S, body: unknown) =>
    requestJson(observer.url, 'POST', `/observations/${key}/${what}`, schema, { body, signal })
  // The victim is killed at its limit, so this ends.
  while (!(await post('quiet', Quiet, { waitMs: 20_000 })).quiet);
  return post('end', Observation, { deliveries } satisfies ObservationEnd)
}

function toResult(
  { trial, install, use, observation, record, sent, disagreements, compared }: ObservedTrial,
  durationMs: number,
): TrialResult {
  const layout = victimLayout(trial.user)
  const judgement = judge({
    fixture: trial.fixture,
    revision: trial.revision,
    skillDirectories: namedDirectories(trial.host, layout, trial.fixture.skills),
    keptElsewhere: keptDirectories(trial.host, layout.home, observation.changes),
    install,
    ...(use === undefined ? {} : { use }),
    observation: withoutScratch(observation, trial.host, layout.home),
    access: record.access,
    droppedAccess: record.droppedEntries,
    sinkhole: sent,
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
    manifestAfter: observation.manifestAfter,
    ...(compared === undefined ? {} : { crossCheck: { compared, disagreements: disagreements?.length ?? 0 } }),
  }
}

/** Drops something on a service. Best effort: it may be gone already, and services drop it by themselves later. */
async function forget(base: string, path: string): Promise<void> {
  await requestJson(base, 'DELETE', path, z.unknown(), { timeoutMs: 5_000 }).catch(() => undefined)
}
