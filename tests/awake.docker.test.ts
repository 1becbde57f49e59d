import { withoutLive, withoutProcesses } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { connectEngine } from '../runner/src/engine.ts'
import { startLab } from '../runner/src/lab.ts'
import { preflight } from '../runner/src/preflight/index.ts'
import type { Told } from '../runner/src/witnesses/awake.ts'
import { checkWitnesses } from '../runner/src/witnesses/check.ts'
import { root } from './support/landfall.ts'

/** In place of each witness something that sees nothing: what the others told of the same victim is real. */
const asleep: readonly (readonly [string, (told: Told) => Told])[] = [
  ['W1', (told) => ({ ...told, observation: { ...told.observation, changes: [], sightings: [] } })],
  ['W3', (told) => ({ ...told, observation: { ...told.observation, live: withoutLive('a test') } })],
  [
    'the process sampler',
    (told) => ({ ...told, observation: { ...told.observation, processes: withoutProcesses(0) } }),
  ],
  [
    'the sinkhole',
    (told) => ({ ...told, ...(told.sinkhole === undefined ? {} : { sinkhole: { ...told.sinkhole, sightings: [] } }) }),
  ],
  ['W2, the engine', (told) => ({ ...told, engine: [] })],
]

describe('the control of the witnesses, in a real victim', () => {
  it('passes when all are awake, and fails by name for each that is replaced by one that sees nothing', async () => {
    const engine = await connectEngine()
    const { images } = await preflight({ root, say: () => undefined })
    await using lab = await startLab({ engine, root, images, run: `awake-${process.pid}`, observers: 1 })
    const signal = new AbortController().signal
    const check = { engine, lab, seed: 1, crossCheck: true, signal }
    const awake = await checkWitnesses(check)
    expect(awake.passed, awake.detail).toBe(true)
    for (const [name, retell] of asleep) {
      const { passed, detail } = await checkWitnesses({ ...check, retell })
      expect(passed, name).toBe(false)
      expect(detail).toContain(`${name} did not tell of`)
    }
  })
})
