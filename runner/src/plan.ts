import { comesAsTree, type FixtureRow } from '@landfall/catalog'
import {
  type ArchiveFormat,
  type Channel,
  deriveCanary,
  type FetchedChannel,
  type FetchStep,
  type HostProfile,
  isFetched,
  LandfallError,
  type Revision,
  type UseRequest,
  type VictimUser,
} from '@landfall/contracts'
import { closest, distance } from 'fastest-levenshtein'
import { useOf, useOfConnected } from './use-plan.ts'

/**
 * Decides which trials a run has: every chosen fixture against every chosen host, over every channel that
 * both know, as every chosen user. A pair that cannot meet is planned too, so that the matrix has a cell
 * that says why.
 */
export interface Selection {
  readonly fixtures?: readonly string[] | undefined
  readonly hosts?: readonly string[] | undefined
  /** Hosts that are only planned on request too. */
  readonly all?: boolean | undefined
  readonly channels?: readonly Channel[] | undefined
  readonly users: readonly VictimUser[]
}

interface PlannedBase {
  readonly id: string
  readonly fixture: FixtureRow
  readonly host: HostProfile
  readonly channel: Channel
  readonly user: VictimUser
}

/** A trial that runs. */
export interface PlannedTrial extends PlannedBase {
  readonly kind: 'trial'
  readonly revision: Revision
  /** Of a delivery as a file; absent where the host connects by itself. */
  readonly format?: ArchiveFormat
  /** Of a host that fetches by itself. */
  readonly fetch?: FetchStep
  readonly canary: string
  /** What the agent uses once the host has accepted; absent where nothing is to be used. */
  readonly use?: UseRequest
}

/** A cell in which fixture and host cannot meet. */
export interface NotApplicable extends PlannedBase {
  readonly kind: 'not-applicable'
  readonly reason: string
}

export type Planned = PlannedTrial | NotApplicable

export interface PlanInput {
  readonly fixtures: readonly FixtureRow[]
  readonly hosts: readonly HostProfile[]
  readonly selection: Selection
  readonly seed: number
}

/**
 * @throws LandfallError `unknown` for a fixture or host that does not exist, naming the nearest one, and
 * `usage` for a selection that matches nothing.
 */
export function planRun({ fixtures, hosts, selection, seed }: PlanInput): Planned[] {
  const chosenFixtures = choose('fixture', fixtures, selection.fixtures, ({ action }) => action === 'accept')
  const usual =
    selection.hosts !== undefined || selection.all === true ? hosts : hosts.filter((it) => it.onRequest !== true)
  const chosenHosts = choose('host', usual, selection.hosts, ({ control }) => control !== undefined)
  const planned = chosenFixtures.flatMap((fixture) => {
    const cells = chosenHosts.flatMap((host) =>
      selection.users.flatMap((user) => planPair(fixture, host, user, selection.channels, seed)),
    )
    // A row without a single trial says nothing, unless it was asked for.
    const asked = selection.fixtures?.includes(fixture.id) ?? false
    return asked || cells.some(({ kind }) => kind === 'trial') ? cells : []
  })
  if (planned.length === 0) {
    throw new LandfallError(
      'usage',
      `no trial matches: none of the chosen fixtures and hosts uses channel ${selection.channels?.join(', ') ?? ''}`,
    )
  }
  return planned
}

function planPair(
  fixture: FixtureRow,
  host: HostProfile,
  user: VictimUser,
  channels: readonly Channel[] | undefined,
  seed: number,
): Planned[] {
  const wanted = (channel: Channel) => channels === undefined || channels.includes(channel)
  const offered = fixture.channels.filter(wanted)
  const shared = offered.filter((channel) => host.channels.includes(channel))
  if (shared.length === 0) {
    const channel = offered[0]
    if (channel === undefined) return []
    const reason = `${host.id} does not take ${offered.join(' or ')}`
    return [{ kind: 'not-applicable', id: trialId(fixture, host, channel, user), fixture, host, channel, user, reason }]
  }
  return shared.map((channel) => {
    const id = trialId(fixture, host, channel, user)
    const base = { id, fixture, host, channel, user }
    if (host.oracle === true && fixture.action === 'accept')
      return { ...base, kind: 'not-applicable' as const, reason: `${host.id} verifies and installs nothing` }
    if (host.connect !== undefined && isMcp(channel)) return connected(base, seed)
    if (isFetched(channel)) return fetched({ ...base, channel }, seed)
    const format = host.install.map((step) => step.format).find((candidate) => fixture.formats.includes(candidate))
    if (format === undefined) {
      const reason = `${host.id} does not take ${fixture.formats.join(' or ')} archives`
      return { ...base, kind: 'not-applicable' as const, reason }
    }
    const revision: Revision = channel === 'mcp-stable' ? 'stable' : 'index'
    const canary = deriveCanary(String(seed), id)
    const use = useOf(fixture, canary, host.places?.[0])
    return { ...base, kind: 'trial' as const, revision, format, canary, ...(use === undefined ? {} : { use }) }
  })
}

const isMcp = (channel: Channel): boolean => channel === 'mcp-index' || channel === 'mcp-stable'

/**
 * A host that speaks MCP gets the endpoint. The reference host acts on its skills by itself, by its own rules; what any
 * other one has installed, the agent uses.
 */
function connected(base: PlannedBase, seed: number): PlannedTrial {
  const revision: Revision = base.channel === 'mcp-stable' ? 'stable' : 'index'
  const canary = deriveCanary(String(seed), base.id)
  const use = base.host.kind === 'reference' ? {} : { use: useOfConnected(base.fixture, canary) }
  return { ...base, kind: 'trial', revision, canary, ...use }
}

/** A host that fetches by itself takes what the first of its steps can: an archive in a format, or a tree of files. */
function fetched(base: PlannedBase & { readonly channel: FetchedChannel }, seed: number): Planned {
  const { fixture, host, channel } = base
  const steps = (host.fetch ?? []).filter((step) => step.channel === channel)
  const fits = ({ format }: FetchStep) =>
    format === undefined ? comesAsTree(fixture) : fixture.formats.includes(format)
  const fetch = steps.find(fits)
  if (fetch === undefined) {
    const taken = steps.map(({ format }) => format ?? 'a tree of files').join(' or ')
    return { ...base, kind: 'not-applicable', reason: `${host.id} takes ${taken} over ${channel}, which this is not` }
  }
  const revision: Revision =
    fixture.clauses.index === undefined && fixture.clauses.stable !== undefined ? 'stable' : 'index'
  const canary = deriveCanary(String(seed), base.id)
  const use = useOf(fixture, canary, host.places?.[0])
  return { ...base, kind: 'trial', revision, fetch, canary, ...(use === undefined ? {} : { use }) }
}

function trialId(fixture: FixtureRow, host: HostProfile, channel: Channel, user: VictimUser): string {
  return [fixture.id, host.id, channel, user].join('.')
}

/** The named ones, and the controls: a run without them proves nothing, so no filter removes them. */
function choose<T extends { readonly id: string }>(
  kind: string,
  all: readonly T[],
  names: readonly string[] | undefined,
  isControl: (item: T) => boolean,
): readonly T[] {
  if (names === undefined) return all
  for (const name of names) requireKnown(kind, name, all)
  return all.filter((item) => names.includes(item.id) || isControl(item))
}

/** @throws LandfallError `unknown`, with the nearest known name when one is near. */
export function requireKnown(kind: string, name: string, all: readonly { readonly id: string }[]): void {
  const ids = all.map(({ id }) => id)
  if (ids.includes(name)) return
  const nearest = ids.length === 0 ? undefined : closest(name, ids)
  const near = nearest !== undefined && distance(name, nearest) <= Math.max(3, name.length / 2)
  const hint = near ? ` Did you mean ${nearest}?` : ` Known: ${ids.join(', ')}.`
  throw new LandfallError('unknown', `unknown ${kind} ${name}.${hint}`, {
    kind,
    name,
    nearest: near ? nearest : undefined,
  })
}
