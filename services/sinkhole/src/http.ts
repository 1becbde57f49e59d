import { type ControlError, type ErrorCode, LandfallError } from '@landfall/contracts'
import type { NextFunction, Request, Response } from 'express'

/** What every request to the control port passes, and how every error is answered: as JSON, never as HTML. */

/** Refuses names that are not this service's, so that a web page cannot reach it by a name it re-points. */
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

const statuses: Partial<Record<ErrorCode, number>> = { invalid: 400, unknown: 404, conflict: 409, machine: 503 }

function statusOf(error: unknown): number {
  if (error instanceof LandfallError) {
    const { status } = error.data
    return typeof status === 'number' ? status : (statuses[error.code] ?? 500)
  }
  // The body parser's own errors carry a status.
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}

export function answerErrors(onFault: (error: unknown) => void) {
  // Express tells a handler of errors by its four parameters.
  return (error: unknown, _request: Request, response: Response, next: NextFunction): void => {
    const status = statusOf(error)
    if (status >= 500 && !(error instanceof LandfallError)) onFault(error)
    if (response.headersSent) return next(error)
    const body: ControlError =
      error instanceof LandfallError
        ? { error: { code: error.code, message: error.message, data: { ...error.data } } }
        : { error: { code: status >= 500 ? 'service' : 'invalid', message: 'The request cannot be taken' } }
    response.status(status).json(body)
  }
}
