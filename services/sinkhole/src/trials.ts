import {
  type AttributedBy,
  LandfallError,
  type SentPlace,
  type SentSighting,
  type SinkholeAnswer,
  type SinkholeRecord,
  type SinkholeRegistration,
  type SinkholeUnattributed,
} from '@landfall/contracts'
import type { Limits } from './limits.ts'
import { findTokens, type FoundToken } from './tokens.ts'
import { Room, Traffic } from './traffic.ts'

/** A registration without an address takes what comes from no other trial's victim: the one driven by hand. */
export type Registration = Omit<SinkholeRegistration, 'address'> & {
  readonly address?: string
  readonly lasting?: true
}

export interface Trial {
  readonly key: string
  readonly address: string | undefined
  readonly sites: ReadonlyMap<string, { readonly fixture: string; readonly site: string }>
  readonly answers: readonly SinkholeAnswer[]
  readonly traffic: Traffic
  readonly sightings: SentSighting[]
  readonly expiresAt: number
}

/** To whom something belongs that was sent. Without a trial it is kept with what is nobody's. */
export interface Owner {
  readonly trial: Trial | undefined
  readonly by: AttributedBy | undefined
  readonly traffic: Traffic
}

/** A token in one place of what was sent. */
export interface PlacedToken extends FoundToken {
  readonly where: SentPlace
}

/** The trials that are under way, and whose a request is: by its tokens first, by where it came from second. */
export class TrialRegistry {
  readonly #limits: Limits
  readonly #now: () => number
  readonly #room: Room
  readonly #trials = new Map<string, Trial>()
  readonly #byAddress = new Map<string | undefined, Trial>()
  readonly #byToken = new Map<string, Trial>()
  readonly #nobodys: Traffic

  constructor(limits: Limits, now: () => number) {
    this.#limits = limits
    this.#now = now
    this.#room = new Room(limits.allBytes)
    this.#nobodys = new Traffic(limits, this.#room)
  }

  /** @throws LandfallError `conflict` for a key, address or token that is taken, `machine` when too many are open. */
  register({ key, address, tokens, answers, lasting }: Registration): SinkholeRecord {
    this.dropExpired()
    const taken = this.#trials.has(key)
      ? `the trial ${key} exists already`
      : this.#byAddress.has(address)
        ? `the address ${String(address)} belongs to another trial`
        : tokens.some(({ token }) => this.#byToken.has(token))
          ? 'a token belongs to another trial'
          : undefined
    if (taken !== undefined) throw new LandfallError('conflict', taken, { key })
    const { trials, lifetimeMs } = this.#limits
    if (this.#trials.size >= trials)
      throw new LandfallError('machine', `too many trials are open: ${trials}`, { limit: trials })
    const trial: Trial = {
      key,
      address,
      sites: new Map(tokens.map(({ token, fixture, site }) => [token, { fixture, site }])),
      answers,
      traffic: new Traffic(this.#limits, this.#room),
      sightings: [],
      expiresAt: lasting ? Infinity : this.#now() + lifetimeMs,
    }
    this.#trials.set(key, trial)
    this.#byAddress.set(address, trial)
    for (const { token } of tokens) this.#byToken.set(token, trial)
    return recordOf(trial)
  }

  /** @throws LandfallError `unknown` */
  record(key: string): SinkholeRecord {
    return recordOf(this.#open(key))
  }

  /** Forgets the trial and gives its record a last time. @throws LandfallError `unknown` */
  remove(key: string): SinkholeRecord {
    const trial = this.#open(key)
    this.#forget(trial)
    return recordOf(trial)
  }

  unattributed(): SinkholeUnattributed {
    return this.#nobodys.record
  }

  /** The trial whose victim has this address now. To be asked when a connection begins: addresses are used again. */
  atAddress(address: string): Trial | undefined {
    return this.#byAddress.get(address) ?? this.#byAddress.get(undefined)
  }

  /** A trial that has ended meanwhile gets nothing more. */
  ownerOf(tokens: readonly FoundToken[], sender: Trial | undefined): Owner {
    for (const { token } of tokens) {
      const trial = this.#byToken.get(token)
      if (trial !== undefined) return { trial, by: 'token', traffic: trial.traffic }
    }
    if (sender !== undefined && this.#trials.get(sender.key) === sender)
      return { trial: sender, by: 'address', traffic: sender.traffic }
    return { trial: undefined, by: undefined, traffic: this.#nobodys }
  }

  /** The script that answers a request: of the trial whose token is in `text`, otherwise of the sender's. */
  answersFor(text: string, sender: Trial | undefined): readonly SinkholeAnswer[] {
    return this.ownerOf(findTokens(text), sender).trial?.answers ?? []
  }

  /** Notes which of the owner's tokens were in the entry at `index`. */
  note({ trial }: Owner, tokens: readonly PlacedToken[], index: number): SentSighting[] {
    if (trial === undefined) return []
    const seen = tokens.flatMap(({ token, where, as }): SentSighting[] => {
      const site = trial.sites.get(token)
      return site === undefined ? [] : [{ ...site, where, as, index }]
    })
    const left = Math.max(0, this.#limits.sightings - trial.sightings.length)
    trial.sightings.push(...seen.slice(0, left))
    trial.traffic.dropped.sightings += Math.max(0, seen.length - left)
    return seen
  }

  dropExpired(): void {
    const time = this.#now()
    for (const trial of this.#trials.values()) if (trial.expiresAt <= time) this.#forget(trial)
  }

  #open(key: string): Trial {
    const trial = this.#trials.get(key)
    if (trial === undefined) throw new LandfallError('unknown', `no such trial: ${key}`, { kind: 'trial', name: key })
    return trial
  }

  #forget(trial: Trial): void {
    this.#trials.delete(trial.key)
    this.#byAddress.delete(trial.address)
    for (const token of trial.sites.keys()) this.#byToken.delete(token)
    trial.traffic[Symbol.dispose]()
  }
}

function recordOf({ key, traffic, sightings }: Trial): SinkholeRecord {
  return { key, ...traffic.record, sightings: [...sightings] }
}
