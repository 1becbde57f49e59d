import { labels } from '@landfall/contracts'
import type Dockerode from 'dockerode'

/** What the engine tells of each container of a run: by it a person sees which service did not come up. */
export async function describeStates(engine: Dockerode, run: string): Promise<string> {
  const filters = { label: [`${labels.run}=${run}`] }
  const found = await engine.listContainers({ all: true, filters }).catch(() => [])
  return statesText(found)
}

export function statesText(containers: readonly Pick<Dockerode.ContainerInfo, 'Names' | 'State' | 'Status'>[]): string {
  if (containers.length === 0) return 'no container of it is there'
  const states = containers.map(({ Names, State, Status }) => `${nameOf(Names)}: ${Status === '' ? State : Status}`)
  return states.toSorted().join('; ')
}

const nameOf = ([name = '?']: readonly string[]) => name.replace(/^\//, '')
