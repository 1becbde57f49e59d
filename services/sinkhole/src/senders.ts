import { type Server, Socket } from 'node:net'
import { plainAddress } from './listen.ts'
import type { Trial, TrialRegistry } from './trials.ts'

/**
 * Who is at the other end of each connection: whose victim it was when the connection began. Asked later, the
 * address may already belong to another victim.
 */
export interface Sender {
  readonly from: string
  readonly trial: Trial | undefined
}

export interface SendersParts {
  readonly trials: TrialRegistry
  /** Connections that one address may have open at once, so that one victim leaves room for the others. */
  readonly mostPerAddress: number
  readonly onTurnedAway: (sender: Sender) => void
}

export class Senders {
  readonly #parts: SendersParts
  readonly #known = new WeakMap<object, Sender>()
  readonly #open = new Map<string, number>()

  constructor(parts: SendersParts) {
    this.#parts = parts
  }

  /** Notes every connection of `server`, of the event that it has for a plain connection. */
  watch(server: Server): void {
    // First of all: others may ask at once.
    server.prependListener('connection', (socket: Socket) => this.#admit(socket))
    server.on('drop', (dropped?: { remoteAddress?: string }) =>
      this.#parts.onTurnedAway(this.#identify(plainAddress(dropped?.remoteAddress))),
    )
  }

  /** Of a connection, or of what was made from it: a socket with TLS has the same addresses. */
  of(socket: Socket): Sender {
    const known = this.#known.get(socket) ?? this.#known.get(carrierOf(socket))
    if (known !== undefined) return known
    const sender = this.#identify(plainAddress(socket.remoteAddress))
    this.#known.set(socket, sender)
    return sender
  }

  #admit(socket: Socket): void {
    const sender = this.#identify(plainAddress(socket.remoteAddress))
    this.#known.set(socket, sender)
    const open = (this.#open.get(sender.from) ?? 0) + 1
    if (open > this.#parts.mostPerAddress) {
      this.#parts.onTurnedAway(sender)
      socket.destroy()
      return
    }
    this.#open.set(sender.from, open)
    socket.on('close', () => {
      const left = (this.#open.get(sender.from) ?? 1) - 1
      if (left > 0) this.#open.set(sender.from, left)
      else this.#open.delete(sender.from)
    })
  }

  #identify(from: string): Sender {
    return { from, trial: this.#parts.trials.atAddress(from) }
  }
}

/** The connection that carries one with TLS. Node says it in no other way, and the latter forgets its address when it fails. */
function carrierOf(socket: Socket): object {
  const carrier: unknown = Reflect.get(socket, '_parent')
  return carrier instanceof Socket ? carrier : socket
}
