import type { IncomingMessage, ServerResponse } from 'node:http'
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { ipKeyGenerator } from 'express-rate-limit'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { clientAddress } from './client-address.ts'
import { rpcError } from './errors.ts'
import type { Step } from './step.ts'
import { sendJson } from './step.ts'

/** Who may ask how much: so many requests a minute of one client, and so many at once of all. */
const minuteS = 60
const retryAfterS = '1'

export interface RateLimit {
  /** Requests a minute of one address. 0 is no limit. */
  readonly rate: number
  readonly trustedProxies: number
}

/** Whether a request may be answered. If not, it has been. */
export type Admit = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/** Answers 429 with the standard headers (RateLimit of the IETF's draft 8, Retry-After) beyond the limit. */
export function limitRate({ rate, trustedProxies }: RateLimit): Admit {
  if (rate === 0) return () => Promise.resolve(true)
  const limiter = new RateLimiterMemory({ points: rate, duration: minuteS })
  const policy = `"${rate}-in-1min"`
  return async (request, response) => {
    // Whoever has one IPv6 address has all of its network.
    const client = ipKeyGenerator(clientAddress(request, trustedProxies))
    const { consumedPoints, remainingPoints, msBeforeNext } = await limiter.penalty(client)
    const seconds = Math.ceil(msBeforeNext / 1000)
    response.setHeader('RateLimit', `${policy}; r=${remainingPoints}; t=${seconds}`)
    response.setHeader('RateLimit-Policy', `${policy}; q=${rate}; w=${minuteS}`)
    if (consumedPoints <= rate) return true
    const refusal = rpcError(ProtocolErrorCode.InvalidRequest, 'Too many requests')
    sendJson(response, 429, refusal, { 'Retry-After': String(seconds) })
    return false
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
