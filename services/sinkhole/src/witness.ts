import type { SinkholeFault, SinkholeQuery, SinkholeRequest } from '@landfall/contracts'
import type { Logger } from 'pino'
import type { Feed } from './feed.ts'
import { plain } from './log.ts'
import type { FoundToken } from './tokens.ts'
import { findTokens } from './tokens.ts'
import type { Owner, PlacedToken, Trial, TrialRegistry } from './trials.ts'

/** Writes down what came: finds whose it is, keeps it, tells it. Every door of the sinkhole reports here. */
export interface WitnessParts {
  readonly trials: TrialRegistry
  readonly feed: Feed
  readonly log: Logger
  readonly now: () => number
}

type Unsigned<T> = Omit<T, 'by' | 'time'>

export class Witness {
  readonly #parts: WitnessParts

  constructor(parts: WitnessParts) {
    this.#parts = parts
  }

  /** @param inBody what was found in the whole body, of which `request` holds the beginning. */
  request(request: Unsigned<SinkholeRequest>, inBody: readonly FoundToken[], sender: Trial | undefined): void {
    const { host, method, path, headers, status, scheme } = request
    const tokens = [
      ...placed('path', findTokens(path)),
      // Separated by something that no token contains.
      ...placed('header', findTokens(headers.map(([name, value]) => `${name}\n${value}`).join('\n'))),
      ...placed('body', inBody),
    ]
    const text = `${method} ${scheme}://${host}${path}`
    this.#write('request', tokens, sender, request.from, text, { status, bytes: request.bodyBytes }, (traffic, seen) =>
      traffic.addRequest({ ...seen, ...request }),
    )
  }

  query(query: Unsigned<SinkholeQuery>, sender: Trial | undefined): void {
    const { name, type } = query
    // Labels end after 63 bytes, so an encoded token may stand in two of them.
    const tokens = placed('dns', [...findTokens(name), ...findTokens(name.replaceAll('.', ''))])
    this.#write('dns', tokens, sender, query.from, `${type} ${name}`, {}, (traffic, seen) =>
      traffic.addQuery({ ...seen, ...query }),
    )
  }

  /** @param bytes what could not be read. */
  fault(fault: Unsigned<SinkholeFault>, bytes: Uint8Array, sender: Trial | undefined): void {
    const { over, serverName = '', detail } = fault
    const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    const tokens = placed('fault', findTokens(`${serverName}\n${raw}`))
    const text = `${over}${serverName === '' ? '' : ` for ${serverName}`}: ${detail}`
    this.#write('fault', tokens, sender, fault.from, text, {}, (traffic, seen) =>
      traffic.addFault({ ...seen, ...fault }),
    )
  }

  #write(
    kind: 'request' | 'dns' | 'fault',
    tokens: readonly PlacedToken[],
    sender: Trial | undefined,
    from: string,
    line: string,
    facts: object,
    keep: (traffic: Owner['traffic'], seen: { time: string; by?: 'token' | 'address' }) => number,
  ): void {
    const { trials, feed, log, now } = this.#parts
    const distinct = [...new Map(tokens.map((token) => [`${token.where} ${token.token}`, token])).values()]
    const owner = trials.ownerOf(distinct, sender)
    const { by } = owner
    const index = keep(owner.traffic, { time: new Date(now()).toISOString(), ...(by === undefined ? {} : { by }) })
    const sent = trials.note(owner, distinct, index)
    const text = plain(line)
    const trial = owner.trial === undefined ? {} : { trial: owner.trial.key }
    log.info({ ...trial, kind, from, by, ...facts, sent: sent.length || undefined }, text)
    feed.publish({ ...trial, kind, text })
    for (const { fixture, site, where } of sent)
      feed.publish({ ...trial, kind: 'sent', text: `${where} of ${text}`, fixture, site })
  }
}

const placed = (where: PlacedToken['where'], found: readonly FoundToken[]): PlacedToken[] =>
  found.map((token) => ({ ...token, where }))
