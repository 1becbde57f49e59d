import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Observation, ObservationStarted } from '@landfall/contracts'
import type Dockerode from 'dockerode'
import { requestJson } from './http-client.ts'
import type { Observer, StartedLab } from './lab.ts'
import { Victim } from './victim.ts'

/**
 * The observer's part of a trial: both manifests of a victim of ten thousand entries in which nothing happens, as
 * the observer itself takes the time, and the memory that its container needed.
 */
const entries = 10_000
const rounds = 41
const aimMs = 150

export interface ObserverFigures {
  /** Entries of the victim. */
  readonly entries: number
  /** Both manifests together, in milliseconds, sorted. */
  readonly totals: readonly number[]
  /** Highest memory of the observer's control group, in bytes: page cache and kept evidence are in it. */
  readonly peakBytes: number
}

export async function measureObserver(
  engine: Dockerode,
  lab: StartedLab,
  observer: Observer,
): Promise<ObserverFigures> {
  const marker = `bench-${randomBytes(8).toString('hex')}`
  const identity = {
    name: lab.victimName(marker),
    trial: 'bench',
    marker,
    user: 'agent' as const,
    observer: observer.container,
    network: lab.network,
    maskedPaths: lab.maskedPaths,
    labels: lab.labels,
  }
  await using victim = await Victim.create(engine, lab.victim, identity, '0'.repeat(64))
  await victim.start()
  const missing = entries - (await round(observer, marker)).entries
  // As in an installation: a few files in each of many directories.
  const script = `cd "$HOME" && for d in $(seq ${Math.max(0, Math.floor(missing / 11))}); do mkdir -p bench/$d && touch bench/$d/1 bench/$d/2 bench/$d/3 bench/$d/4 bench/$d/5 bench/$d/6 bench/$d/7 bench/$d/8 bench/$d/9 bench/$d/10; done`
  await victim.exec(['sh', '-c', script], { limitSeconds: 120, user: 'agent' })
  const taken = []
  for (let count = 0; count < rounds; count += 1) taken.push(await round(observer, marker))
  return {
    entries: taken.at(-1)?.entries ?? 0,
    // The first one meets entries that are new to the kernel's caches.
    totals: taken
      .slice(1)
      .map(({ ms }) => ms)
      .toSorted((a, b) => a - b),
    peakBytes: await peakMemory(engine, observer),
  }
}

async function round(observer: Observer, marker: string): Promise<{ entries: number; ms: number }> {
  const trial = marker
  const begin = { trial, marker, tokens: [], decoys: [] }
  const started = await requestJson(observer.url, 'POST', '/observations', ObservationStarted, { body: begin })
  const end = { deliveries: [] }
  const seen = await requestJson(observer.url, 'POST', `/observations/${trial}/end`, Observation, { body: end })
  return { entries: started.entries, ms: seen.beforeMs + seen.afterMs }
}

/** Version 2 of control groups, or 1. */
const peakFiles = ['/sys/fs/cgroup/memory.peak', '/sys/fs/cgroup/memory/memory.max_usage_in_bytes']

async function peakMemory(engine: Dockerode, observer: Observer): Promise<number> {
  const read = ['sh', '-c', `cat ${peakFiles.join(' ')} 2> /dev/null`]
  const exec = await engine.getContainer(observer.container).exec({ Cmd: read, AttachStdout: true, Tty: true })
  return Number((await buffer(await exec.start({ Tty: true }))).toString('utf8').trim())
}

/** Pure. */
export function describeObserver({ entries: seen, totals, peakBytes }: ObserverFigures): string {
  const at = (share: number) => totals[Math.min(totals.length - 1, Math.floor(totals.length * share))] ?? Number.NaN
  const median = at(0.5)
  return (
    `observer, ${totals.length} trials of ${seen} entries: both manifests ${median.toFixed(0)} ms (median), ` +
    `${at(0.95).toFixed(0)} ms (p95; aim: under ${aimMs}), ${Math.round((2 * seen) / (median / 1000))} entries a second, ` +
    `peak memory ${Math.round(peakBytes / 1024 / 1024)} MiB`
  )
}
