import { connectEngine } from '../../runner/src/engine.ts'
import { listThings } from '../../runner/src/leftovers.ts'

/** Names of everything in the engine that belongs to a run. */
export async function thingsOf(run: string): Promise<string[]> {
  const engine = await connectEngine()
  return (await listThings(engine, run)).map(({ kind, name }) => `${kind} ${name}`)
}
