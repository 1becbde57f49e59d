import type { NextFunction, Request, Response } from 'express'
import { controlError } from './errors.ts'

/** Methods that the web's own request type, which the MCP handler is given, refuses to hold. */
const untakeable = new Set(['TRACE', 'TRACK', 'CONNECT'])

/**
 * Requests whose line the handlers behind cannot take: a method that is never served, and a target in absolute
 * form (RFC 9112, 3.2.2), which must be accepted and is served by its path when it names the host it was sent to.
 */
export function plainTarget(request: Request, response: Response, next: NextFunction): void {
  if (untakeable.has(request.method)) {
    response.status(405).set('Allow', 'GET, POST, DELETE').json(controlError('invalid', 'The method is not served'))
    return
  }
  if (request.url.startsWith('/')) {
    next()
    return
  }
  const target = URL.parse(request.url)
  if (target === null || target.host !== request.headers.host) {
    response.status(400).json(controlError('invalid', 'The request names another host'))
    return
  }
  request.url = target.pathname + target.search
  next()
}
