import { LandfallError } from '@landfall/contracts'
import { connectEngine } from './engine.ts'
import { probeEngine } from './preflight/engine-facts.ts'
import { readyEngine } from './preflight/engine.ts'
import { listThings, ownerIsGone, removeThings, type Thing } from './leftovers.ts'

/**
 * `landfall clean`: removes what crashed runs left in the engine and says which. Runs whose process still
 * lives, and a lab that `docker compose up` started, are left alone unless `all`.
 */
export async function cleanCommand(all: boolean): Promise<string> {
  // Asked first: the library below would look for another engine when the chosen one does not answer.
  if (readyEngine(await probeEngine()) === undefined)
    throw new LandfallError('engine', 'the container engine does not answer')
  const engine = await connectEngine()
  const things = await listThings(engine)
  const leftovers = all ? things : things.filter(isLeftover)
  await removeThings(engine, leftovers)
  const kept = things.length - leftovers.length
  const lines = leftovers.map(({ kind, name, run }) => `removed ${kind} ${name} of run ${run}`)
  if (lines.length === 0) lines.push('Nothing was left behind.')
  if (kept > 0) lines.push(`${kept} more belong to labs that are in use; \`landfall clean --all\` removes them too.`)
  return `${lines.join('\n')}\n`
}

/** A lab without an owner was started by hand: it is somebody's, not a leftover. */
export const isLeftover = ({ owner }: Thing): boolean => owner !== '' && ownerIsGone(owner)
