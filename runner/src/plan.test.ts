import { describe, expect, it } from 'vitest'
import { planRun } from './plan.ts'
import { sampleFixture, sampleHost } from './testing/samples.ts'

const benign = {
  ...sampleFixture,
  id: 'control-benign',
  action: 'accept' as const,
  formats: ['tar.gz', 'zip'] as const,
}
const zipFixture = { ...sampleFixture, id: 'adv-zip', formats: ['zip'] as const }
const naive = { ...sampleHost, id: 'naive', control: 'naive' as const }
const mcpHost = { ...sampleHost, id: 'mcp-host', channels: ['mcp-stable' as const] }
const all = { fixtures: [benign, sampleFixture, zipFixture], hosts: [sampleHost, mcpHost, naive], seed: 1 }
const ids = (planned: readonly { id: string }[]) => planned.map(({ id }) => id)

describe('planRun', () => {
  it('has a cell for every pair, and says why where they cannot meet', () => {
    const planned = planRun({ ...all, selection: { fixtures: ['adv-sample', 'adv-zip'], users: ['agent'] } })
    expect(planned).toHaveLength(9)
    const reasons = planned.flatMap((item) => (item.kind === 'not-applicable' ? [`${item.id}: ${item.reason}`] : []))
    expect(reasons).toContain('adv-zip.sample-host.archive-file.agent: sample-host does not take zip archives')
    expect(reasons).toContain('adv-sample.mcp-host.archive-file.agent: mcp-host does not take archive-file')
  })

  it('leaves out a fixture that no host can take, unless it was asked for', () => {
    const planned = planRun({ ...all, selection: { users: ['agent'] } })
    expect(new Set(planned.map(({ fixture }) => fixture.id))).toEqual(new Set(['control-benign', 'adv-sample']))
  })

  it('leaves out a host that is there on request, unless it is named or all are asked for', () => {
    const rare = { ...sampleHost, id: 'rare-host', onRequest: true }
    const hosts = [sampleHost, rare, naive]
    const met = (selection: { hosts?: string[]; all?: boolean }) =>
      planRun({ ...all, hosts, selection: { ...selection, users: ['agent'] } }).some(({ host }) => host === rare)
    expect(met({})).toBe(false)
    expect(met({ all: true })).toBe(true)
    expect(met({ hosts: ['rare-host'] })).toBe(true)
  })

  it('lets a host that fetches by itself take what the first of its steps can, and says what it cannot', () => {
    const step = (channel: 'git' | 'well-known', format?: 'zip') => ({
      channel,
      run: ['x', '{url}'],
      timeoutSeconds: 60,
      ...(format === undefined ? {} : { format }),
    })
    const fetcher = {
      ...sampleHost,
      id: 'fetcher',
      channels: ['git' as const, 'well-known' as const],
      install: [],
      fetch: [step('well-known', 'zip'), step('well-known'), step('git')],
      places: ['{home}/.x/{skill}'],
    }
    const archived = { ...zipFixture, channels: ['archive-file' as const, 'well-known' as const] }
    const tree = { ...sampleFixture, id: 'adv-tree', channels: ['well-known' as const, 'git' as const] }
    const bare = { ...sampleFixture, id: 'adv-tar', channels: ['well-known' as const] }
    const planned = planRun({
      fixtures: [archived, tree, bare],
      hosts: [fetcher],
      seed: 1,
      selection: { users: ['agent'] },
    })
    const told = planned.map((item) => [item.id, item.kind === 'trial' ? item.fetch?.format : item.reason])
    expect(told).toEqual([
      ['adv-zip.fetcher.well-known.agent', 'zip'],
      ['adv-tree.fetcher.well-known.agent', undefined],
      ['adv-tree.fetcher.git.agent', undefined],
    ])
    const alone = planRun({
      fixtures: [bare],
      hosts: [fetcher],
      seed: 1,
      selection: { fixtures: ['adv-tar'], users: ['agent'] },
    })
    expect(alone).toMatchObject([
      { kind: 'not-applicable', reason: 'fetcher takes zip or a tree of files over well-known, which this is not' },
    ])
  })

  it('lets the agent use what a connecting host has installed, but not what the reference host acts on by itself', () => {
    const connect = { run: ['x', '{url}'], timeoutSeconds: 60 }
    const stable = { ...sampleFixture, channels: ['mcp-stable' as const], skills: ['one', 'two', 'one'] }
    const sdk = { ...mcpHost, id: 'sdk', kind: 'installer' as const, connect }
    const reference = { ...mcpHost, id: 'reference', kind: 'reference' as const, connect }
    const planned = planRun({ fixtures: [stable], hosts: [sdk, reference], seed: 1, selection: { users: ['agent'] } })
    expect(planned).toMatchObject([
      { host: { id: 'sdk' }, use: { skills: ['one', 'two'], unreadable: [] } },
      { host: { id: 'reference' } },
    ])
    expect(planned[1]).not.toHaveProperty('use')
  })

  it('plans no installation of the benign skill for a host that only verifies', () => {
    const oracle = { ...sampleHost, oracle: true as const }
    const planned = planRun({ ...all, hosts: [oracle], selection: { users: ['agent'] } })
    const told = planned.map((item) => [item.fixture.id, item.kind === 'trial' ? 'trial' : item.reason])
    expect(told).toEqual([['adv-sample', 'trial']])
  })

  it('keeps the controls whatever the filters name', () => {
    const planned = planRun({
      ...all,
      selection: { fixtures: ['adv-sample'], hosts: ['sample-host'], users: ['agent'] },
    })
    expect(ids(planned)).toEqual([
      'control-benign.sample-host.archive-file.agent',
      'control-benign.naive.archive-file.agent',
      'adv-sample.sample-host.archive-file.agent',
      'adv-sample.naive.archive-file.agent',
    ])
  })

  it('gives the same canaries for the same seed, others for another, and never one twice', () => {
    const canaries = (seed: number) =>
      planRun({ ...all, seed, selection: { users: ['agent', 'root'] } }).flatMap((item) =>
        item.kind === 'trial' ? [item.canary] : [],
      )
    expect(canaries(1)).toEqual(canaries(1))
    expect(new Set([...canaries(1), ...canaries(2)]).size).toBe(2 * canaries(1).length)
  })

  it('names the nearest known one for a wrong name', () => {
    const plan = () => planRun({ ...all, selection: { fixtures: ['adv-zap'], users: ['agent'] } })
    expect(plan).toThrow('unknown fixture adv-zap. Did you mean adv-zip?')
    const far = () => planRun({ ...all, selection: { hosts: ['qqqqqqqqqqqqqqqqqqq'], users: ['agent'] } })
    expect(far).toThrow('unknown host qqqqqqqqqqqqqqqqqqq. Known: sample-host, mcp-host, naive.')
  })

  it('says so when nothing matches', () => {
    expect(() => planRun({ ...all, selection: { channels: ['well-known'], users: ['agent'] } })).toThrow(
      /no trial matches/,
    )
  })
})
