import type { ControlResult, Observation, SinkholeRecord } from '@landfall/contracts'
import { isSevere, toWirePath } from '@landfall/contracts'
import type { EngineChange } from '../witness-engine.ts'
import { type ActSite, actsFixture, type KnownDoings } from './acts.ts'

/**
 * Holds what each witness told against what the lab did. A witness that does not tell its part is asleep, and what
 * it would say of the trials is worth nothing: the control fails, and names it. Pure.
 */
export interface Told {
  readonly observation: Observation
  /** Absent in a lab without an outside world. */
  readonly sinkhole?: SinkholeRecord
  /** What the engine saw; absent without a cross-check. */
  readonly engine?: readonly EngineChange[]
  /** What could not be done, so that nobody could have seen it. */
  readonly failures: readonly string[]
}

interface Part {
  readonly witness: string
  readonly what: string
  readonly told: boolean
}

export function checkAwake(doings: KnownDoings, told: Told): ControlResult {
  const name = 'witnesses'
  if (told.failures.length > 0)
    return { name, passed: false, detail: `the lab could not do its part: ${told.failures.join('; ')}` }
  const parts = [...byW1(doings, told), ...byW3(doings, told), ...byProcesses(doings, told)]
    .concat(told.sinkhole === undefined ? [] : bySinkhole(told.sinkhole))
    .concat(told.engine === undefined ? [] : byEngine(doings, told.engine))
  const asleep = parts.filter((part) => !part.told)
  const witnesses = [...new Set(parts.map(({ witness }) => witness))]
  return {
    name,
    passed: asleep.length === 0,
    detail:
      asleep.length === 0
        ? `${witnesses.join(', ')} told of what the lab did: ${parts.length} of ${parts.length}`
        : asleep.map(({ witness, what }) => `${witness} did not tell of ${what}`).join('; '),
  }
}

const wire = (path: string) => toWirePath(Buffer.from(path))

function byW1({ acts }: KnownDoings, { observation }: Told): Part[] {
  const path = wire(acts.stays.path)
  const added = observation.changes.some((change) => change.kind === 'added' && change.path === path)
  const found = observation.sightings.some(
    (seen) => seen.fixture === actsFixture && seen.site === 'stays' && seen.path === path,
  )
  return [
    { witness: 'W1', what: 'a new file', told: added },
    { witness: 'W1', what: 'the token in a new file', told: found },
  ]
}

function byW3({ acts, decoy }: KnownDoings, { observation: { live } }: Told): Part[] {
  const path = wire(acts.passes.path)
  const kinds = (wanted: string) => live.events.some((event) => event.kind === wanted && event.path === path)
  const read = live.decoyReads.some((each) => each.decoy === decoy.name && each.path === wire(decoy.path))
  const token = live.transientSightings.some(({ fixture, site }) => fixture === actsFixture && site === 'passes')
  return [
    { witness: 'W3', what: 'all that happened', told: !live.losses.some(isSevere) },
    { witness: 'W3', what: 'a file that was made', told: kinds('created') },
    { witness: 'W3', what: 'a file that was removed', told: kinds('deleted') },
    { witness: 'W3', what: 'the token of a file that is gone', told: token },
    { witness: 'W3', what: 'a decoy that was read', told: read },
  ]
}

function byProcesses({ acts }: KnownDoings, { observation }: Told): Part[] {
  const { mark } = acts.process
  const list = observation.processes.list
  const seen = list.some(({ commands }) => commands.some(({ argv }) => argv.includes(mark)))
  return [{ witness: 'the process sampler', what: 'a process that was started', told: seen }]
}

function bySinkhole({ sightings }: SinkholeRecord): Part[] {
  const sent = (site: ActSite, what: string): Part => ({
    witness: 'the sinkhole',
    what,
    told: sightings.some((seen) => seen.fixture === actsFixture && seen.site === site),
  })
  return [
    sent('http', 'a request over HTTP'),
    sent('https', 'a request over HTTPS'),
    sent('dns', 'a name that was looked up'),
  ]
}

function byEngine({ acts }: KnownDoings, changes: readonly EngineChange[]): Part[] {
  return [
    {
      witness: 'W2, the engine',
      what: 'a new file',
      told: changes.some(({ Path, Kind }) => Kind === 1 && Path === acts.stays.path),
    },
  ]
}
