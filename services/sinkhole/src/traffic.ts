import type {
  SinkholeDropped,
  SinkholeFault,
  SinkholeQuery,
  SinkholeRequest,
  SinkholeUnattributed,
} from '@landfall/contracts'
import type { Limits } from './limits.ts'

/** Room for what is kept of all trials together. */
export class Room {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#left += bytes
  }
}

/** What one trial sent, in the order in which it ended, within limits; what is beyond them is counted. */
export class Traffic implements Disposable {
  readonly #limits: Limits
  readonly #room: Room
  readonly #requests: SinkholeRequest[] = []
  readonly #queries: SinkholeQuery[] = []
  readonly #faults: SinkholeFault[] = []
  readonly dropped: SinkholeDropped = { requests: 0, dns: 0, faults: 0, sightings: 0, bytes: 0 }
  #used = 0

  constructor(limits: Limits, room: Room) {
    this.#limits = limits
    this.#room = room
  }

  /** Each answers where the entry stands, or -1 when there was no room for it. */
  addRequest(request: SinkholeRequest): number {
    if (this.#requests.length < this.#limits.requests) {
      if (this.#take(weightOf(request), wholeShare)) return this.#requests.push(request) - 1
      const slim = slimmed(request)
      if (this.#take(weightOf(slim))) {
        this.dropped.bytes += weightOf(request) - weightOf(slim)
        return this.#requests.push(slim) - 1
      }
    }
    this.dropped.requests += 1
    return -1
  }

  addQuery(query: SinkholeQuery): number {
    if (this.#queries.length < this.#limits.queries && this.#take(overhead + query.name.length))
      return this.#queries.push(query) - 1
    this.dropped.dns += 1
    return -1
  }

  addFault(fault: SinkholeFault): number {
    if (this.#faults.length < this.#limits.faults && this.#take(overhead + fault.detail.length))
      return this.#faults.push(fault) - 1
    this.dropped.faults += 1
    return -1
  }

  get record(): SinkholeUnattributed {
    return {
      requests: [...this.#requests],
      dns: [...this.#queries],
      faults: [...this.#faults],
      dropped: { ...this.dropped },
    }
  }

  [Symbol.dispose](): void {
    this.#room.giveBack(this.#used)
    this.#used = 0
  }

  #take(bytes: number, share = 1): boolean {
    if (this.#used + bytes > this.#limits.trialBytes * share || !this.#room.take(bytes)) return false
    this.#used += bytes
    return true
  }
}

/** Bytes that an entry takes besides its texts: a guess on the safe side. */
const overhead = 512
const shortPath = 256
/** Of a trial's room, for requests with all that was in them. The rest is for those that come after. */
const wholeShare = 0.75

function weightOf({ path, headers, body, host }: SinkholeRequest): number {
  const heads = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 64, 0)
  return overhead + path.length + host.length + body.length + heads
}

/** That there was a request is worth more than all that was in it. */
function slimmed(request: SinkholeRequest): SinkholeRequest {
  return {
    ...request,
    path: request.path.slice(0, shortPath),
    host: request.host.slice(0, shortPath),
    headers: [],
    body: '',
  }
}
