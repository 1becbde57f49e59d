import { Approvals, approvalsFile } from './approvals.ts'
import type { Consent, Question } from './consent.ts'
import { User } from './consent.ts'
import type { Disk } from './disk.ts'
import { Host, reasonOf, type Surroundings } from './host.ts'
import { type Ended, type Until, useIndex } from './index-revision.ts'
import { Budget } from './rules/sizes.ts'
import type { Decision, Rule } from './rule.ts'
import { Guard } from './rule.ts'
import { Session } from './session.ts'
import { useStable } from './stable.ts'

/** One visit of the reference host to one server: finds skills, asks, loads, acts; then the same after a restart. */
export interface Visit {
  readonly url: URL
  /** The host's own name of the server (H26). It becomes a folder. */
  readonly label: string
  readonly revision: 'index' | 'stable'
  readonly consent: Consent
  readonly without: readonly Rule[]
  /** Load this URI only, listed or not. */
  readonly uri?: string
  /** Stop when a skill is approved, before it is loaded. */
  readonly until?: Until
  readonly disk: Disk
  readonly home: string
  readonly around: Pick<Surroundings, 'run' | 'elsewhere' | 'context'>
  readonly log: (decision: Decision) => void
  /** How long each answer is awaited. */
  readonly limitMs?: number
}

export interface Visited {
  /** Of each skill, as the last visit left it; the listing itself when that was refused. */
  readonly skills: readonly Ended[]
  readonly asked: readonly Question[]
  readonly consulted: ReadonlySet<Rule>
}

const visits = 2

/** @throws NoAnswer when a connection cannot be made, or is lost on the way: then nothing follows for any skill. */
export async function visit(what: Visit): Promise<Visited> {
  const guard = new Guard(what.without, what.log)
  const user = new User(what.consent)
  const places = { store: `${what.home}/.local/share/landfall-reference`, discovery: `${what.home}/.agents/skills` }
  const ended = new Map<string, Ended>()
  for (let count = 0; count < visits; count += 1) {
    await using session = await Session.connect(what.label, what.url, guard, what.limitMs)
    const approvals = new Approvals(what.disk, approvalsFile(places))
    const around = { ...what.around, disk: what.disk, places, user, approvals }
    const host = new Host(guard, session, around, new Budget())
    for (const one of await useAll(host, what)) ended.set(one.uri, one)
    // What failed once is not tried again without the user.
    if ([...ended.values()].some(({ outcome }) => outcome === 'refused')) break
  }
  return { skills: [...ended.values()], asked: user.asked, consulted: guard.consulted }
}

async function useAll(host: Host, { revision, uri, until = 'use' }: Visit): Promise<Ended[]> {
  try {
    return await (revision === 'stable' ? useStable(host, until, uri) : useIndex(host, until))
  } catch (error) {
    return [{ uri: uri ?? '', name: '', outcome: 'refused', ...reasonOf(error) }]
  }
}
