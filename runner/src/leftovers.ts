import { hostname } from 'node:os'
import { readFileSync } from 'node:fs'
import { labels } from '@landfall/contracts'
import type Dockerode from 'dockerode'
import pRetry from 'p-retry'
import { isGone } from './engine.ts'

/**
 * Everything the lab makes in the engine carries a label with its run and one with the process that owns the
 * run. Leftovers are things whose owner is gone; what a living run owns is never touched.
 */
export interface Thing {
  readonly kind: 'container' | 'network' | 'volume'
  readonly id: string
  readonly name: string
  readonly run: string
  readonly owner: string
}

/** `<host name>/<pid>/<start time in clock ticks>`: a pid alone is used again sooner or later. */
export function ownerLabel(pid: number = process.pid): string {
  return `${hostname()}/${pid}/${startTicks(pid) ?? '0'}`
}

function startTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command's name stands in parentheses and may hold spaces; the 20th field after it is the start time.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

/** Whether the process behind an owner label is gone. One on another machine is taken to be alive. */
export function ownerIsGone(owner: string): boolean {
  const [host, pid, ticks] = owner.split('/')
  if (host !== hostname() || pid === undefined || !/^\d+$/.test(pid)) return false
  const now = startTicks(Number(pid))
  return now === undefined || (ticks !== '0' && now !== ticks)
}

export async function listThings(engine: Dockerode, run?: string): Promise<Thing[]> {
  const filters = { label: [run === undefined ? labels.run : `${labels.run}=${run}`] }
  const [containers, networks, volumes] = await Promise.all([
    engine.listContainers({ all: true, filters }),
    engine.listNetworks({ filters }),
    engine.listVolumes({ filters }),
  ])
  const thing = (kind: Thing['kind'], id: string, name: string, found: Record<string, string> | undefined): Thing => ({
    kind,
    id,
    name,
    run: found?.[labels.run] ?? '',
    owner: found?.[labels.owner] ?? '',
  })
  return [
    ...containers.map((it) => thing('container', it.Id, (it.Names[0] ?? it.Id).replace(/^\//, ''), it.Labels)),
    ...networks.map((it) => thing('network', it.Id, it.Name, it.Labels)),
    ...(volumes.Volumes ?? []).map((it) => thing('volume', it.Name, it.Name, it.Labels)),
  ]
}

/** Removes containers first, since networks and volumes cannot go while one uses them. */
export async function removeThings(engine: Dockerode, things: readonly Thing[]): Promise<void> {
  for (const kind of ['container', 'network', 'volume'] as const) {
    await Promise.all(things.filter((thing) => thing.kind === kind).map((thing) => removeThing(engine, thing)))
  }
}

async function removeThing(engine: Dockerode, { kind, id }: Thing): Promise<void> {
  try {
    if (kind === 'container') await engine.getContainer(id).remove({ force: true, v: true })
    // A network is busy until the engine has finished removing the last container on it.
    else if (kind === 'network')
      await pRetry(() => engine.getNetwork(id).remove(), { retries: 10, factor: 1, minTimeout: 200 })
    else await engine.getVolume(id).remove()
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
