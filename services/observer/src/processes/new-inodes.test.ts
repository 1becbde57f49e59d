import { linkSync, mkdirSync, statSync } from 'node:fs'
import type { Observation } from '@landfall/contracts'
import { Observation as Contract } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { defaultLimits } from '../limits.ts'
import { beginObservation } from '../observation.ts'
import { Tree } from '../testing/tree.ts'
import { Sampler } from './sampler.ts'

async function observed(act: (tree: Tree) => void): Promise<Observation> {
  using tree = new Tree()
  tree.write('old')
  const request = { trial: 't', marker: 't', tokens: [], decoys: [] }
  using running = await beginObservation(tree.hold(), request, {
    clock: systemClock,
    limits: defaultLimits,
    sample: (held) => Sampler.start(held, { clock: systemClock }),
  })
  act(tree)
  return Contract.parse(await running.end({ deliveries: [] }))
}

describe('new inodes of an observation', () => {
  it('are its new entries, without new names of old files', async () => {
    const seen = await observed((tree) => {
      tree.write('a')
      mkdirSync(tree.at('dir'))
      linkSync(tree.at('old'), tree.at('again'))
      expect(statSync(tree.at('again')).nlink).toBe(2)
    })
    expect(seen.processes.totals.newInodes).toBe(2)
  })

  it('come with samples that began and ended', async () => {
    expect((await observed(() => undefined)).processes).toMatchObject({ how: 'sampled', samples: 2, list: [] })
  })
})
