import { LandfallError } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import type { Builders } from '../fixtures/index.ts'
import { registrationOf } from '../testing/service.ts'
import type { TrialLimits } from './trial-store.ts'
import { TrialStore } from './trial-store.ts'

const limits: TrialLimits = { lifetimeMs: 1_000, maxTrials: 2, maxAccessEntries: 10 }
const builders: Builders = new Map([['control-benign', () => ({ skills: [] })]])

function storeAt(time: { now: number }): TrialStore {
  const onFailure = () => undefined
  return new TrialStore({ builders, limits, now: () => time.now, onFailure, onRejected: onFailure })
}

describe('TrialStore', () => {
  it('drops a trial at its time limit and not before', async () => {
    const time = { now: 0 }
    const store = storeAt(time)
    store.register(registrationOf('k', 'control-benign'))
    time.now = 999
    expect(store.endpoint('k')).toBeDefined()
    time.now = 1_000
    expect(store.endpoint('k')).toBeUndefined()
    await expect(store.record('k')).rejects.toMatchObject({ code: 'unknown' })
    expect(() => store.register(registrationOf('k', 'control-benign'))).not.toThrow()
  })

  it('takes no more trials than its limit, until one ends', async () => {
    const store = storeAt({ now: 0 })
    store.register(registrationOf('a', 'control-benign'))
    store.register(registrationOf('b', 'control-benign'))
    const third = () => store.register(registrationOf('c', 'control-benign'))
    expect(third).toThrow(LandfallError)
    expect(third).toThrow(expect.objectContaining({ code: 'machine' }))
    await store.remove('a')
    expect(third).not.toThrow()
  })

  it('does not open a trial whose fixture is only the name of something inherited', () => {
    expect(() => storeAt({ now: 0 }).register(registrationOf('k', 'constructor'))).toThrow(/No such fixture/)
  })

  it('forgets everything when it is closed', async () => {
    const store = storeAt({ now: 0 })
    store.register(registrationOf('a', 'control-benign'))
    await store.close()
    expect(store.endpoint('a')).toBeUndefined()
  })
})
