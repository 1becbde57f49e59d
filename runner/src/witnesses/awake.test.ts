import { type Observation, withoutLive } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { sampleLive, sampleObservation, sampleSinkhole } from '../testing/samples.ts'
import { actsFixture, knownDoings } from './acts.ts'
import { checkAwake, type Told } from './awake.ts'

const doings = knownDoings('a'.repeat(64), true)
const { acts, decoy } = doings
const event = { path: acts.passes.path, atMs: 1, found: 'event' as const, times: 1 }
const sent = { fixture: actsFixture, where: 'path' as const, as: 'plain' as const, index: 0 }
const sampled = {
  pid: 7,
  ppid: 1,
  name: 'sh',
  commands: [{ argv: ['sh', '-c', 'sleep 1; :', acts.process.mark] }],
  uid: 1000,
  firstSeenMs: 1,
  lastSeenMs: 2,
  cpuSeconds: 0,
  peakBytes: 1,
}
const processes: Observation['processes'] = {
  how: 'sampled',
  intervalMs: 20,
  samples: 9,
  largestGapMs: 30,
  costMs: 1,
  unlisted: 0,
  list: [sampled],
  totals: {
    cpuSeconds: 0,
    peakProcessBytes: 1,
    peakSumBytes: 1,
    peakProcesses: 1,
    writtenBytes: 0,
    diskBytes: 0,
  },
}
const observation: Observation = {
  ...sampleObservation,
  changes: [{ kind: 'added', path: acts.stays.path }],
  sightings: [{ fixture: actsFixture, site: 'stays', path: acts.stays.path, place: 'content' }],
  processes,
  live: {
    ...sampleLive,
    events: [
      { ...event, kind: 'created' },
      { ...event, kind: 'deleted' },
    ],
    decoyReads: [{ decoy: decoy.name, path: decoy.path, by: 'read', count: 1, firstMs: 1 }],
    transientSightings: [{ fixture: actsFixture, site: 'passes', path: acts.passes.path, place: 'name' }],
  },
}
const told: Told = {
  observation,
  sinkhole: {
    ...sampleSinkhole,
    sightings: [
      { ...sent, site: 'http' },
      { ...sent, site: 'https' },
      { ...sent, site: 'dns' },
    ],
  },
  engine: [{ Path: acts.stays.path, Kind: 1 }],
  failures: [],
}

describe('the control of the witnesses', () => {
  it('passes when each tells its part', () => {
    expect(checkAwake(doings, told)).toEqual({
      name: 'witnesses',
      passed: true,
      detail: 'W1, W3, the process sampler, the sinkhole, W2, the engine told of what the lab did: 12 of 12',
    })
  })

  it.each<[string, Told, string]>([
    ['W1', { ...told, observation: { ...observation, changes: [], sightings: [] } }, 'W1 did not tell of a new file'],
    [
      'W3',
      { ...told, observation: { ...observation, live: withoutLive('a test') } },
      'W3 did not tell of all that happened',
    ],
    [
      'W3, though it says that it lost nothing',
      { ...told, observation: { ...observation, live: sampleLive } },
      'W3 did not tell of a decoy that was read',
    ],
    [
      'the process sampler',
      { ...told, observation: { ...observation, processes: { ...processes, list: [] } } },
      'the process sampler did not tell of a process that was started',
    ],
    ['the sinkhole', { ...told, sinkhole: sampleSinkhole }, 'the sinkhole did not tell of a request over HTTPS'],
    ['the engine', { ...told, engine: [] }, 'W2, the engine did not tell of a new file'],
    ['the lab itself', { ...told, failures: ['a decoy: EACCES'] }, 'the lab could not do its part: a decoy: EACCES'],
  ])('fails when in place of %s there is something that sees nothing', (_witness, stub, detail) => {
    const control = checkAwake(doings, stub)
    expect(control.passed).toBe(false)
    expect(control.detail).toContain(detail)
  })
})
