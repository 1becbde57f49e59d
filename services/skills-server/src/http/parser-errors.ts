import { ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { controlError } from './errors.ts'

/**
 * Answers what is no HTTP at all: Node gives up before there is a request, so no app sees it. As everywhere
 * else the answer is JSON, and says nothing of the parser.
 */
const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

const reasonOf: Readonly<Record<number, string>> = {
  408: 'The request took too long to arrive',
  413: 'The body is too large',
  431: 'The headers are too large',
}

/** For the event `clientError` of a server. */
export function answerParserError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  const status = statusOf[error.code ?? ''] ?? 400
  const body = JSON.stringify(controlError('invalid', reasonOf[status] ?? 'The request cannot be read'))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Whether an answer has begun on this connection: a second one in the middle of it would be read as its content. */
function isAnswering(socket: Duplex): boolean {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ServerResponse && message.headersSent
}
