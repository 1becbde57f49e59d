import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { fixtures } from '@landfall/catalog'
import type Dockerode from 'dockerode'
import PQueue from 'p-queue'
import { describeObserver, measureObserver } from './bench-observer.ts'
import { benchLive } from './bench-live.ts'
import { connectEngine } from './engine.ts'
import { type Observer, type StartedLab, startLab } from './lab.ts'
import { type PlannedTrial, planRun } from './plan.ts'
import { preflight } from './preflight/index.ts'
import { loadProfiles } from './profiles.ts'
import { repositoryRoot } from './root.ts'
import { victimOptions } from './sandbox.ts'
import { type Phase, runTrial, trialPhases } from './trial.ts'

/**
 * `npm run bench`: what a trial costs above the container it needs. Trials of extractors and empty containers
 * of the same image and sandbox take turns in one run, at the same parallelism, so that a noisy machine slows
 * both. Only the ratio means anything.
 */
const rounds = 7
const perRound = 12
const aim = 1.5

export async function main(argv: readonly string[]): Promise<number> {
  const jobs = Number(argv[0] ?? Math.min(4, availableParallelism()))
  const { images } = await preflight({ root: repositoryRoot })
  const engine = await connectEngine()
  await using lab = await startLab({
    engine,
    root: repositoryRoot,
    images,
    run: `bench-${randomBytes(3).toString('hex')}`,
    observers: jobs,
  })
  const [first] = lab.observers
  if (first !== undefined) {
    process.stdout.write(`${describeObserver(await measureObserver(engine, lab, first))}\n`)
  }
  const trials = extractorTrials(await loadProfiles())
  const take = (round: number) =>
    Array.from({ length: perRound }, (_, index) => trials[(round * perRound + index) % trials.length])
  const ratios: number[] = []
  const phases = new Map<Phase, number>()
  for (let round = -1; round < rounds; round += 1) {
    const batch = take(Math.max(round, 0)).filter((trial) => trial !== undefined)
    const trial = await seconds(batch, lab, (item, observer) =>
      oneTrial(engine, lab, item, observer, round < 0 ? undefined : phases),
    )
    const noop = await seconds(batch, lab, (_, observer) => oneNoop(engine, lab, observer))
    // The first round only warms up.
    if (round < 0) continue
    ratios.push(trial / noop)
    process.stdout.write(
      `round ${round + 1}: trial ${trial.toFixed(3)} s, no-op container ${noop.toFixed(3)} s, ratio ${(trial / noop).toFixed(2)}\n`,
    )
  }
  const sorted = ratios.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const parts = [...phases].map(([phase, total]) => `${phase} ${Math.round(total / (rounds * perRound))} ms`)
  process.stdout.write(`phases of a trial, on average: ${parts.join(', ')}\n`)
  process.stdout.write(
    `${rounds} rounds of ${perRound}, ${jobs} at a time: a trial takes ${median.toFixed(2)} times a no-op container ` +
      `(min ${sorted[0]?.toFixed(2)}, max ${sorted.at(-1)?.toFixed(2)}; aim: at most ${aim})\n`,
  )
  const [observer] = lab.observers
  if (observer !== undefined) await benchLive(engine, lab, observer)
  return 0
}

/** Trials of real extractors on small fixtures: a bomb measures the disk, not the lab. */
function extractorTrials(profiles: Awaited<ReturnType<typeof loadProfiles>>): PlannedTrial[] {
  const heavy = new Set(['adv-decompression-bomb', 'adv-cumulative-budget'])
  const planned = planRun({
    fixtures: fixtures.filter(({ id }) => !heavy.has(id)),
    hosts: profiles.filter(({ kind }) => kind === 'extractor'),
    selection: { users: ['agent'] },
    seed: 1,
  })
  return planned.filter((item): item is PlannedTrial => item.kind === 'trial')
}

/** Wall-clock seconds per item of a batch, with one observer per item that runs at the same time. */
async function seconds<T>(
  items: readonly T[],
  lab: StartedLab,
  work: (item: T, observer: Observer) => Promise<void>,
): Promise<number> {
  const free = [...lab.observers]
  const queue = new PQueue({ concurrency: free.length })
  const started = performance.now()
  await queue.addAll(
    items.map((item) => async () => {
      const observer = free.pop()
      if (observer === undefined) throw new Error('no observer is free')
      await work(item, observer)
      free.push(observer)
    }),
  )
  return (performance.now() - started) / 1000 / items.length
}

async function oneTrial(
  engine: Dockerode,
  lab: StartedLab,
  trial: PlannedTrial,
  observer: Observer,
  phases?: Map<Phase, number>,
): Promise<void> {
  const key = `t-${randomBytes(16).toString('hex')}`
  const { result, timings } = await runTrial(trial, {
    engine,
    lab,
    observer,
    key,
    signal: new AbortController().signal,
    crossCheck: false,
  })
  if (result.outcome === 'inconclusive') throw new Error(`${trial.id}: ${result.reason}`)
  for (const phase of trialPhases) phases?.set(phase, (phases.get(phase) ?? 0) + timings[phase])
}

async function oneNoop(engine: Dockerode, lab: StartedLab, observer: Observer): Promise<void> {
  const identity = {
    name: lab.victimName(randomBytes(8).toString('hex')),
    trial: 'no-op',
    marker: 'no-op',
    user: 'agent' as const,
    observer: observer.container,
    network: lab.network,
    maskedPaths: lab.maskedPaths,
    labels: lab.labels,
  }
  const container = await engine.createContainer({ ...victimOptions(lab.victim, identity), Cmd: ['true'] })
  await container.start()
  await container.wait()
  await container.remove()
}
