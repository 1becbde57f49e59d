import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { ipKeyGenerator } from 'express-rate-limit'
import { clientAddress } from './client-address.ts'
import { rpcError } from './errors.ts'
import type { Step } from './step.ts'
import { sendJson } from './step.ts'
import { Window } from './window.ts'

/** Who may ask how much: so many requests a minute of one client, and so many at once of all. */
const minuteMs = 60_000
const retryAfterS = '1'

export interface RateLimit {
  /** Requests a minute of one address. 0 is no limit. */
  readonly limit: number
  readonly trustedProxies: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Answers 429 with the standard headers (RateLimit of the IETF's draft 8, Retry-After) beyond the limit. */
export function limitRate({ limit, trustedProxies, now }: RateLimit): Step {
  if (limit === 0) return (_request, _response, next) => next()
  const window = new Window(minuteMs, now)
  const policy = `"${limit}-in-1min"`
  return (request, response, next) => {
    // Whoever has one IPv6 address has all of its network.
    const { hits, resetsInMs } = window.hit(ipKeyGenerator(clientAddress(request, trustedProxies)))
    const seconds = Math.ceil(resetsInMs / 1000)
    response.setHeader('RateLimit', `${policy}; r=${Math.max(limit - hits, 0)}; t=${seconds}`)
    response.setHeader('RateLimit-Policy', `${policy}; q=${limit}; w=${minuteMs / 1000}`)
    if (hits <= limit) {
      next()
      return
    }
    const refusal = rpcError(ProtocolErrorCode.InvalidRequest, 'Too many requests')
    sendJson(response, 429, refusal, { 'Retry-After': String(seconds) })
  }
}

/** Answers 503 while `limit` requests are being answered. A stream counts for as long as it is open. */
export function limitConcurrency(limit: number): Step {
  let open = 0
  return (_request, response, next) => {
    if (open >= limit) {
      const refusal = rpcError(ProtocolErrorCode.InternalError, 'Too many requests at once')
      sendJson(response, 503, refusal, { 'Retry-After': retryAfterS })
      return
    }
    open += 1
    response.once('close', () => (open -= 1))
    next()
  }
}
