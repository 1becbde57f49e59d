import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { answerQuery } from './dns-answer.ts'
import type { Limits } from './limits.ts'
import { plainAddress } from './listen.ts'
import type { TrialRegistry } from './trials.ts'
import type { Witness } from './witness.ts'

/** The name server, over UDP and TCP. */
export interface DnsParts {
  readonly witness: Witness
  readonly trials: TrialRegistry
  readonly limits: Limits
  /** What every name resolves to. */
  readonly address: string
}

interface Asked {
  readonly message: Buffer
  readonly from: string
  readonly transport: 'udp' | 'tcp'
}

/** The answer to one message, which is written down. */
function exchange({ witness, trials, address }: DnsParts, { message, from, transport }: Asked): Buffer | undefined {
  const sender = trials.atAddress(from)
  const { reply, query, fault } = answerQuery(message, address)
  if (query !== undefined) witness.query({ ...query, from, transport }, sender)
  if (fault !== undefined) witness.fault({ over: 'dns', from, detail: fault }, message, sender)
  return reply
}

export function dnsOverUdp(parts: DnsParts): UdpSocket {
  const socket = createSocket('udp4')
  socket.on('message', (message, { address: from, port }) => {
    const reply = exchange(parts, { message, from, transport: 'udp' })
    // A victim that is gone by now is no error of ours; port 0 cannot be answered.
    if (reply !== undefined && port !== 0) socket.send(reply, port, from, () => undefined)
  })
  return socket
}

export async function bindUdp(socket: UdpSocket, port: number, address: string): Promise<number> {
  socket.bind(port, address)
  await once(socket, 'listening')
  socket.on('error', () => undefined)
  return socket.address().port
}

export function dnsOverTcp(parts: DnsParts): Server {
  const server = createServer((socket) => serve(socket, parts))
  server.maxConnections = parts.limits.connections
  server.on('drop', (dropped) => {
    const from = plainAddress(dropped?.remoteAddress)
    const { witness, trials } = parts
    witness.fault({ over: 'dns', from, detail: 'too many connections' }, Buffer.alloc(0), trials.atAddress(from))
  })
  return server
}

/** The longest message over TCP, with its length in front. */
const longest = 65_537
/** Questions on one connection. */
const mostMessages = 1_000

function serve(socket: Socket, parts: DnsParts): void {
  const from = plainAddress(socket.remoteAddress)
  let held: Buffer = Buffer.alloc(0)
  let messages = 0
  socket.setTimeout(parts.limits.idleMs, () => socket.destroy())
  // However slowly it goes on: a connection ends.
  const end = setTimeout(() => socket.destroy(), parts.limits.requestMs).unref()
  socket.on('close', () => clearTimeout(end))
  socket.on('error', () => socket.destroy())
  socket.on('data', (piece: Buffer) => {
    held = Buffer.concat([held, piece])
    while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
      const length = 2 + held.readUInt16BE(0)
      const reply = exchange(parts, { message: held.subarray(2, length), from, transport: 'tcp' })
      held = held.subarray(length)
      messages += 1
      if (reply === undefined || messages >= mostMessages) return void socket.end()
      const head = Buffer.alloc(2)
      head.writeUInt16BE(reply.length)
      // A reader that asks without reading is not buffered for.
      if (!socket.write(Buffer.concat([head, reply])) && socket.writableLength > longest) return void socket.destroy()
    }
  })
}
