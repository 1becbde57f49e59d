import { expect, it } from 'vitest'
import { latenciesOf } from './bench-live.ts'
import { sampleLive } from './testing/samples.ts'

it('takes the difference between the clock in the name and that of the event', () => {
  const event = { kind: 'created', atMs: 12.5, found: 'event', times: 1 } as const
  const live = {
    ...sampleLive,
    monotonicNs: '5000000000',
    events: [
      { ...event, path: '/tmp/at-5010000000' },
      { ...event, path: '/tmp/other' },
      { ...event, kind: 'written' as const, path: '/tmp/at-5010000000' },
    ],
  }
  expect(latenciesOf({ live })).toEqual([2.5])
})
