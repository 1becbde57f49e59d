import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { corpusSkills, fixtures } from '@landfall/catalog'
import {
  type ControlResult,
  type HostProfile,
  LandfallError,
  type Results,
  type TrialResult,
  resultsSchemaFile,
} from '@landfall/contracts'
import type Dockerode from 'dockerode'
import PQueue from 'p-queue'
import { checkControls } from './controls.ts'
import { isConnectionLost, messageOf } from './engine.ts'
import { checkIsolation } from './isolation.ts'
import { inconclusive, type InconclusiveReason } from './judge/decision.ts'
import { type LabImages, type Observer, type StartedLab, startLab } from './lab.ts'
import { type NotApplicable, type Planned, type PlannedTrial, planRun } from './plan.ts'
import { collectRunInfo } from './run-info.ts'
import type { RunStore } from './store.ts'
import { runTrial } from './trial.ts'
import { checkWitnesses, type WitnessCheck } from './witnesses/check.ts'

/**
 * A run from its plan to its results. Trials run in parallel, each with an observer of its own; what is
 * finished is on disk at once; whatever ends the run early, nothing of it stays in the engine.
 */
export interface RunContext {
  readonly engine: Dockerode
  readonly root: string
  readonly images: LabImages
  readonly store: RunStore
  readonly profiles: readonly HostProfile[]
  readonly jobs: number
  readonly crossCheck: boolean
  /** Aborted when the user stops the run. */
  readonly signal: AbortSignal
  readonly reporter: RunReporter
}

export interface RunReporter {
  note(text: string): void
  trialEnded(result: TrialResult, done: number, total: number): void
}

export function planFor(store: Pick<RunStore, 'run'>, profiles: readonly HostProfile[]): Planned[] {
  return planRun({
    fixtures: [...fixtures, ...corpusSkills],
    hosts: profiles,
    selection: store.run.selection,
    seed: store.run.seed,
  })
}

/**
 * @throws LandfallError `interrupted` when the user stopped it, `engine` when the engine or the lab went away.
 * Both leave a run that can be resumed.
 */
export async function executeRun(context: RunContext): Promise<Results> {
  const { store, engine, root, images, signal, reporter } = context
  const planned = planFor(store, context.profiles)
  const results = new Map((await store.finished()).map((result) => [result.id, result]))
  const progress = new Progress(planned.length, results, store, reporter)
  for (const item of planned) {
    if (item.kind === 'not-applicable' && !results.has(item.id)) await progress.add(toNotExercised(item))
  }
  const open = planned.filter((item): item is PlannedTrial => item.kind === 'trial' && !results.has(item.id))
  const jobs = Math.min(context.jobs, Math.max(open.length, 1))
  signal.throwIfAborted()

  const lab = await startLab({ engine, root, images, run: store.run.id, observers: jobs })
  const ofLab: ControlResult[] = []
  let info: Results['run']
  try {
    const met = new Set(planned.map(({ host }) => host.id))
    const taking = context.profiles.filter(({ id }) => met.has(id))
    const victim = await checkIsolation(engine, lab, taking)
    ofLab.push(victim.control, await controlWitnesses({ ...context, lab, seed: store.run.seed }, reporter))
    info = await collectRunInfo(engine, store.run, victim.versions, images)
    reporter.note(`Lab ready: ${open.length} trials, ${jobs} at a time.`)
    await runAll(open, jobs, { ...context, lab, versions: victim.versions }, progress)
  } finally {
    await lab[Symbol.asyncDispose]()
  }
  const trials = planned.flatMap(({ id }) => results.get(id) ?? [])
  return {
    $schema: `./${resultsSchemaFile}`,
    schemaVersion: '1.0.0',
    run: { ...info, finishedAt: new Date().toISOString() },
    controls: checkControls(planned, trials, ofLab),
    trials,
  }
}

/** A busy machine can make any witness late, once; one that sleeps does so twice. The first failure is said. */
async function controlWitnesses(check: WitnessCheck, reporter: RunReporter): Promise<ControlResult> {
  const first = await checkWitnesses(check)
  if (first.passed) return first
  reporter.note(`The control of the witnesses is repeated: ${first.detail}.`)
  return await checkWitnesses(check)
}

class Progress {
  readonly #total: number
  readonly #results: Map<string, TrialResult>
  readonly #store: RunStore
  readonly #reporter: RunReporter

  constructor(total: number, results: Map<string, TrialResult>, store: RunStore, reporter: RunReporter) {
    this.#total = total
    this.#results = results
    this.#store = store
    this.#reporter = reporter
  }

  async add(
    result: TrialResult,
    store: (store: RunStore) => Promise<void> = (to) => to.addLine(result),
  ): Promise<void> {
    await store(this.#store)
    this.#results.set(result.id, result)
    this.#reporter.trialEnded(result, this.#results.size, this.#total)
  }
}

async function runAll(
  trials: readonly PlannedTrial[],
  jobs: number,
  context: RunContext & { lab: StartedLab; versions: Readonly<Record<string, string>> },
  progress: Progress,
): Promise<void> {
  const { lab, engine, versions } = context
  const free: Observer[] = [...lab.observers]
  const broken = new AbortController()
  const signal = AbortSignal.any([context.signal, broken.signal])
  const queue = new PQueue({ concurrency: jobs })
  const lost = new Set<Observer>()

  const runOne = async (trial: PlannedTrial): Promise<void> => {
    if (signal.aborted) return
    const observer = free.pop()
    if (observer === undefined) throw new LandfallError('service', 'fewer observers than parallel trials')
    try {
      const key = `t-${randomBytes(16).toString('hex')}`
      const judged = await runTrial(trial, {
        engine,
        lab,
        observer,
        key,
        signal,
        versions,
        crossCheck: context.crossCheck,
      })
      await progress.add(judged.result, (store) => store.add(judged, observer.url))
    } catch (error) {
      if (signal.aborted) return
      // A lost connection is often noticed before the engine is quite gone.
      if (isConnectionLost(error)) await delay(500)
      const missing = await lab.missing()
      if (missing.length > 0) {
        broken.abort(
          new LandfallError('engine', `the engine or the lab went away (${missing.join(', ')}): ${messageOf(error)}`),
        )
      } else if (await lab.isAlive(observer)) await progress.add(toFailed(trial, 'lab', messageOf(error)))
      else {
        lost.add(observer)
        await progress.add(toFailed(trial, 'observer', `the observer went away, ${messageOf(error)}`))
        const left = lab.observers.length - lost.size
        if (left > 0) queue.concurrency = left
        else broken.abort(new LandfallError('engine', 'the engine or the lab went away (every observer)'))
      }
    } finally {
      if (!lost.has(observer)) free.push(observer)
    }
  }
  await queue.addAll(trials.map((trial) => () => runOne(trial)))
  if (context.signal.aborted) throw new LandfallError('interrupted', 'the run was stopped')
  broken.signal.throwIfAborted()
}

const cell = ({ id, fixture, host, channel, user }: Planned) => ({
  id,
  fixture: fixture.id,
  host: host.id,
  channel,
  user,
})

function toNotExercised(item: NotApplicable): TrialResult {
  return {
    ...cell(item),
    outcome: 'not-exercised',
    verdict: 'n/a',
    reason: `Not applicable: ${item.reason}.`,
    sites: [],
    durationMs: 0,
    evidence: '',
  }
}

/** The lab failed, not the host: never anything but inconclusive. */
function toFailed(trial: PlannedTrial, why: InconclusiveReason, sentence: string): TrialResult {
  return {
    ...cell(trial),
    ...inconclusive(why, sentence),
    verdict: 'void',
    sites: [],
    durationMs: 0,
    evidence: '',
  }
}
