import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { callbackify } from 'node:util'
import type { Certificates } from './certificates.ts'
import type { Limits } from './limits.ts'
import { createWorld, meetTunnel, type Scheme, type WorldParts } from './world.ts'

/** The web server of one scheme: what is in front of the requests, and what to do when none can be read. */
const headBytes = 32 * 1024
const checkMs = 1_000
const shownMs = 100

export function createWebServer(parts: WorldParts, certificates?: Certificates): Server {
  const scheme: Scheme = certificates === undefined ? 'http' : 'https'
  const world = createWorld(parts, scheme)
  const options = serverOptions(parts.limits)
  const server: Server =
    certificates === undefined
      ? createServer(options, world)
      : createSecureServer({ ...options, ...secureOptions(certificates, parts.limits) }, world)
  server.maxConnections = parts.limits.connections
  server.setTimeout(parts.limits.idleMs)
  // Whatever a client expects, it gets an answer.
  server.on('checkExpectation', world)
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    meetTunnel(parts, scheme, request)
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n')
  })
  // What comes after is unreadable too.
  const reported = new WeakSet<Duplex>()
  server.on('clientError', (error: Error, socket: Duplex) => {
    if (!reported.has(socket)) report(parts, scheme, error, socket)
    reported.add(socket)
    refuse(error, socket)
  })
  parts.senders.watch(server)
  noticeSilence(parts, server, scheme)
  return server
}

function serverOptions({ headMs, requestMs, idleMs }: Limits): ServerOptions {
  return {
    maxHeaderSize: headBytes,
    headersTimeout: headMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkMs,
    // Nobody is turned away for what they did not say.
    requireHostHeader: false,
  }
}

function secureOptions(certificates: Certificates, { headMs }: Limits) {
  return {
    ...certificates.own,
    handshakeTimeout: headMs,
    SNICallback: callbackify((name: string) => certificates.for(name)),
  }
}

/** A connection without a request is contact too: a client that mistrusts a certificate leaves like that. */
function noticeSilence({ witness, senders }: WorldParts, server: Server, over: Scheme): void {
  const heard = new WeakSet<Duplex>()
  server.on('request', (request: IncomingMessage) => heard.add(request.socket))
  server.on('checkExpectation', (request: IncomingMessage) => heard.add(request.socket))
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => heard.add(socket))
  server.on('clientError', (_error: Error, socket: Duplex) => heard.add(socket))
  server.on(over === 'http' ? 'connection' : 'secureConnection', (socket: Socket) => {
    const { from, trial } = senders.of(socket)
    const name = serverNameOf(socket)
    socket.on('close', () => {
      if (!heard.has(socket))
        witness.fault({ over, from, detail: 'closed without a request', ...name }, Buffer.alloc(0), trial)
    })
  })
}

function serverNameOf(socket: Duplex): { serverName?: string } {
  const name = socket instanceof TLSSocket ? socket.servername : undefined
  return typeof name === 'string' ? { serverName: name.slice(0, 255) } : {}
}

function report({ witness, senders }: WorldParts, over: Scheme, error: Error, socket: Duplex): void {
  if (!(socket instanceof Socket)) return
  const { from, trial } = senders.of(socket)
  const bytes = 'rawPacket' in error && error.rawPacket instanceof Uint8Array ? error.rawPacket : Buffer.alloc(0)
  const detail = 'code' in error ? String(error.code) : error.message.slice(0, shownMs)
  witness.fault({ over, from, detail, ...serverNameOf(socket) }, bytes, trial)
}

function refuse(error: Error, socket: Duplex): void {
  const code = 'code' in error ? error.code : undefined
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status =
    code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => socket.destroy())
}
