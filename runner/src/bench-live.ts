import { randomBytes } from 'node:crypto'
import { deriveCanary, Observation, type ObservationRequest, ObservationStarted, Quiet } from '@landfall/contracts'
import type Dockerode from 'dockerode'
import { requestJson } from './http-client.ts'
import type { Observer, StartedLab } from './lab.ts'
import { Victim } from './victim.ts'

/**
 * A line of `npm run bench`: from a system call in a victim to its event in the observer.
 *
 * A victim names files by its own clock, right before it makes them. That clock is the one the observer counts from,
 * since CLOCK_MONOTONIC is one for all containers of a machine, so the difference needs no other measure.
 */
const files = 400
const pauseMs = 3
const aimMs = 10

/** Prints one line. Files are made one at a time, as a program does that works, and not as fast as it can. */
export async function benchLive(engine: Dockerode, lab: StartedLab, observer: Observer): Promise<void> {
  const latencies = latenciesOf(await watchFiles(engine, lab, observer)).toSorted((a, b) => a - b)
  if (latencies.length < files) throw new Error(`only ${latencies.length} of ${files} files were seen live`)
  const at = (part: number) => (latencies[Math.floor(latencies.length * part)] ?? Number.NaN).toFixed(2)
  process.stdout.write(
    `live latency over ${latencies.length} files: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms (aim: p95 under ${aimMs} ms)\n`,
  )
}

/** Milliseconds from the name of each file to its event. */
export function latenciesOf({ live }: Pick<Observation, 'live'>): number[] {
  return live.events.flatMap(({ kind, path, atMs }) => {
    const made = /^\/tmp\/at-(\d+)$/.exec(path)?.[1]
    if (kind !== 'created' || made === undefined) return []
    return [Number(BigInt(live.monotonicNs) - BigInt(made)) / 1e6 + atMs]
  })
}

async function watchFiles(engine: Dockerode, lab: StartedLab, observer: Observer): Promise<Observation> {
  const key = `b-${randomBytes(16).toString('hex')}`
  const identity = {
    name: lab.victimName(key),
    trial: 'live-latency',
    marker: key,
    user: 'agent' as const,
    observer: observer.container,
    network: lab.network,
    maskedPaths: lab.maskedPaths,
    labels: lab.labels,
  }
  await using victim = await Victim.create(engine, lab.victim, identity, deriveCanary('bench', key))
  await victim.start()
  const body: ObservationRequest = { trial: key, marker: key, tokens: [], decoys: [] }
  await requestJson(observer.url, 'POST', '/observations', ObservationStarted, { body })
  const make = `fs.closeSync(fs.openSync('/tmp/at-' + process.hrtime.bigint(), 'w'))`
  const program = `const fs = require('fs'); let n = 0; const t = setInterval(() => { ${make}; if (++n === ${files}) clearInterval(t) }, ${pauseMs})`
  await victim.exec(['node', '-e', program], { limitSeconds: 60 })
  await victim.kill()
  const of = `/observations/${key}`
  await requestJson(observer.url, 'POST', `${of}/quiet`, Quiet, { body: { waitMs: 20_000 } })
  return await requestJson(observer.url, 'POST', `${of}/end`, Observation, { body: { deliveries: [] } })
}
