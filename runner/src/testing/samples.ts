import type { FixtureRow } from '@landfall/catalog'
import type { HostProfile, LiveObservation, Observation, SinkholeRecord, TrialResult } from '@landfall/contracts'
import { withoutLive, withoutProcesses } from '@landfall/contracts'

/** Values for tests: each is complete and plain, and a test changes what it is about. */
export const sampleFixture: FixtureRow = {
  id: 'adv-sample',
  title: 'A sample',
  serves: 'tar.gz with one bad path',
  skills: ['adv-sample'],
  channels: ['archive-file'],
  formats: ['tar.gz'],
  clauses: { index: { ids: ['iH4.1'], status: 'must' } },
  action: 'reject',
  sites: [
    { id: 'inside', meaning: 'the skill was installed', detect: 'token', place: 'anywhere', effect: 'none' },
    { id: 'escape', meaning: 'a file was written outside', detect: 'token', place: 'outside', effect: 'harm' },
  ],
  oracle: 'A file stands outside.',
}

export const sampleHost: HostProfile = {
  id: 'sample-host',
  title: 'A host',
  kind: 'extractor',
  channels: ['archive-file'],
  version: ['tar', '--version'],
  needs: { apt: ['tar'], npm: {} },
  keeps: [],
  install: [{ format: 'tar.gz', run: ['tar', '-xzf', '{archive}'], timeoutSeconds: 60 }],
  env: {},
}

/** Live events of a trial in which nothing happened and nothing was missed. */
export const sampleLive: LiveObservation = {
  ...withoutLive(''),
  losses: [],
  counts: { ...withoutLive('').counts, losses: {} },
}

export const sampleObservation: Observation = {
  trial: 't-1',
  witness: 'w1',
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:00:01.000Z',
  entriesBefore: 10,
  entriesAfter: 10,
  beforeMs: 1,
  afterMs: 1,
  changes: [],
  sightings: [],
  decoys: [],
  foreignTokens: [],
  blindness: [],
  processes: withoutProcesses(0),
  manifestBefore: '0'.repeat(64),
  manifestAfter: '0'.repeat(64),
  evidence: { stored: [], notStored: [], moreNotStored: 0 },
  live: sampleLive,
}

/** A sinkhole that was asked for one name. */
export const sampleSinkhole: SinkholeRecord = {
  key: 't-1',
  requests: [],
  dns: [{ time: '2026-01-01T00:00:00.000Z', from: '10.0.0.2', transport: 'udp', name: 'x.example', type: 'A' }],
  faults: [],
  dropped: { requests: 0, dns: 0, faults: 0, sightings: 0, bytes: 0 },
  sightings: [],
}

export const sampleResult: TrialResult = {
  id: 'adv-sample.sample-host.archive-file.agent',
  fixture: 'adv-sample',
  host: 'sample-host',
  channel: 'archive-file',
  user: 'agent',
  outcome: 'blocked',
  verdict: 'pass',
  reason: 'Refused; nothing is on disk.',
  sites: [],
  durationMs: 1,
  evidence: 'trials/adv-sample.sample-host.archive-file.agent/',
}
