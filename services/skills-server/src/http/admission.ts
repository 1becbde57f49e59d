import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { RequestHandler } from 'express'
import { rateLimit } from 'express-rate-limit'
import { rpcError } from './errors.ts'

/** Who may ask how much: so many requests a minute of one client, and so many at once of all. */
const minuteMs = 60_000
const retryAfterS = '1'

/** Answers 429 with the standard headers beyond `limit` requests a minute of one address. 0 is no limit. */
export function limitRate(limit: number): RequestHandler {
  if (limit === 0) return (_request, _response, next) => next()
  return rateLimit({
    windowMs: minuteMs,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    message: rpcError(ProtocolErrorCode.InvalidRequest, 'Too many requests'),
  })
}

/** Answers 503 while `limit` requests are being answered. A stream counts for as long as it is open. */
export function limitConcurrency(limit: number): RequestHandler {
  let open = 0
  return (_request, response, next) => {
    if (open >= limit) {
      response.setHeader('Retry-After', retryAfterS)
      response.status(503).json(rpcError(ProtocolErrorCode.InternalError, 'Too many requests at once'))
      return
    }
    open += 1
    response.once('close', () => (open -= 1))
    next()
  }
}
