import { createSecureContext, type SecureContext } from 'node:tls'
import type { Authority, KeyAndCertificate } from './authority.ts'

/** Certificates by server name, made when a name is first asked for. The oldest go when there are too many. */
const hostName = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/i

export class Certificates {
  readonly #authority: Authority
  readonly #most: number
  readonly #fallback: SecureContext
  readonly #contexts = new Map<string, Promise<SecureContext>>()

  /** What is shown to whoever asks for no name, or for something that is none. */
  readonly own: KeyAndCertificate

  private constructor(authority: Authority, most: number, own: KeyAndCertificate) {
    this.#authority = authority
    this.#most = most
    this.own = own
    this.#fallback = createSecureContext(own)
  }

  static async create(authority: Authority, most: number, address: string): Promise<Certificates> {
    return new Certificates(authority, most, await authority.issue({ type: 'ip', value: address }))
  }

  get size(): number {
    return this.#contexts.size
  }

  async for(serverName: string): Promise<SecureContext> {
    if (!hostName.test(serverName)) return this.#fallback
    const name = serverName.toLowerCase()
    const known = this.#contexts.get(name)
    // Put back at the end: the order of use.
    this.#contexts.delete(name)
    const context = known ?? this.#authority.issue({ type: 'dns', value: name }).then(createSecureContext)
    this.#contexts.set(name, context)
    const oldest = this.#contexts.keys().next().value
    if (this.#contexts.size > this.#most && oldest !== undefined) this.#contexts.delete(oldest)
    return context
  }
}
