import type { ControlError, ErrorCode } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts'
import type { NextFunction, Request, Response } from 'express'

/** What every request passes, and how every error is answered: as JSON of the contract, never as HTML. */

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  })
  next()
}

/** Refuses names that are not this service's, so that a web page cannot reach it by a name it re-points (DNS rebinding). */
export function knownHostsOnly(allowed: readonly string[]) {
  const known = new Set(['127.0.0.1', 'localhost', '[::1]', ...allowed.map((name) => name.toLowerCase())])
  return (request: Request, _response: Response, next: NextFunction): void => {
    const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
    if (known.has(host)) return next()
    throw new LandfallError('invalid', 'The Host header names another service', { status: 403 })
  }
}

/** A form on a web page cannot send JSON, so this keeps such pages from acting on the lab. */
export function jsonOnly(request: Request, _response: Response, next: NextFunction): void {
  if (request.method !== 'POST' || request.is('application/json') === 'application/json') return next()
  throw new LandfallError('invalid', 'The content type must be application/json', { status: 415 })
}

const statuses: Partial<Record<ErrorCode, number>> = { invalid: 400, unknown: 404, conflict: 409, interrupted: 409 }

function statusOf(error: unknown): number {
  if (error instanceof LandfallError) {
    const { status } = error.data
    return typeof status === 'number' ? status : (statuses[error.code] ?? 500)
  }
  // The body parser's own errors carry a status.
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}

export function answerError(
  error: unknown,
  response: Response,
  next: NextFunction,
  onFault: (error: unknown) => void,
): void {
  const status = statusOf(error)
  if (status >= 500) onFault(error)
  if (response.headersSent) return next(error)
  const known = error instanceof LandfallError
  const body: ControlError = {
    error: {
      code: known ? error.code : status >= 500 ? 'service' : 'invalid',
      message:
        error instanceof Error && (known || status < 500) ? error.message : 'The observer failed; its log says why',
      ...(known && Object.keys(error.data).length > 0 ? { data: { ...error.data } } : {}),
    },
  }
  response.status(status).json(body)
}
