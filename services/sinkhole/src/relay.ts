import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Hands on connections to the sinkhole's control port, unread. The sinkhole itself stands on networks without a way
 * out, from which no port can be published; this stands between it and the machine, and no victim reaches it.
 */
const mostConnections = 128
const idleMs = 10 * 60_000

export function createRelay(target: { readonly host: string; readonly port: number }): Server {
  const server = createServer((incoming) => {
    const outgoing = connect(target)
    join(incoming, outgoing)
    join(outgoing, incoming)
  })
  server.maxConnections = mostConnections
  return server
}

function join(from: Socket, to: Socket): void {
  from.setTimeout(idleMs, () => from.destroy())
  from.pipe(to)
  from.on('error', () => to.destroy())
  from.on('close', () => to.destroy())
}
