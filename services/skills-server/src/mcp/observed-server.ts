/* oxlint-disable typescript/no-deprecated -- `Server` is marked as being for advanced uses only, and lying to hosts is one. */
import type { Era } from '@landfall/contracts'
import type { Implementation, JSONRPCMessage, ServerOptions, Transport } from '@modelcontextprotocol/server'
import { Server } from '@modelcontextprotocol/server'
import type { Exchange } from './exchange.ts'
import { blameCaller } from './param-errors.ts'
import { contentBytes, describeRequest, errorCode } from './exchange.ts'

/**
 * A server that tells of each request together with its answer, whatever the method, known or not.
 *
 * It listens between the transport and the protocol, where both eras, HTTP and stdio look alike. All that it
 * changes of what passes is who is to blame for parameters that cannot be read.
 */
export type Observe = (exchange: Exchange) => void

export class ObservedServer extends Server {
  readonly #observe: Observe | undefined
  readonly #era: Era

  constructor(info: Implementation, options: ServerOptions, observe: Observe | undefined, era: Era) {
    super(info, options)
    this.#observe = observe
    this.#era = era
  }

  override async connect(transport: Transport): Promise<void> {
    const pending = new Map<string | number, ReturnType<typeof describeRequest>>()
    const observe = this.#observe
    const send = transport.send.bind(transport)
    transport.send = async (sent, options) => {
      const message = blameCaller(sent)
      if (observe !== undefined) this.#answered(observe, pending, message)
      await send(message, options)
    }
    await super.connect(transport)
    if (observe === undefined) return
    const { onmessage } = transport
    transport.onmessage = (message, extra) => {
      if ('method' in message && 'id' in message) pending.set(message.id, describeRequest(message))
      onmessage?.(message, extra)
    }
  }

  #answered(
    observe: Observe,
    pending: Map<string | number, ReturnType<typeof describeRequest>>,
    message: JSONRPCMessage,
  ): void {
    if ('method' in message || message.id === undefined) return
    const request = pending.get(message.id)
    if (request === undefined) return
    pending.delete(message.id)
    const error = errorCode(message)
    observe({
      ...request,
      era: this.#era,
      bytes: contentBytes(message),
      ...(error === undefined ? {} : { error }),
    })
  }
}
