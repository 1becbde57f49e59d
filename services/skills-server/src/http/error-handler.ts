import type { ErrorRequestHandler } from 'express'
import type { Logger } from 'pino'
import { scopeOf } from '../request-scope.ts'
import type { HttpError } from './errors.ts'
import { toHttpError } from './errors.ts'

/** The last handler of an app: whatever was thrown is answered as JSON; what is our own fault is logged. */
export function errorHandler(log: Logger, toBody: (error: HttpError) => unknown): ErrorRequestHandler {
  // The framework tells an error handler by its four parameters.
  return (error: unknown, _request, response, next) => {
    const httpError = toHttpError(error)
    if (httpError.status >= 500) log.error({ requestId: scopeOf(response)?.id, err: error }, 'request failed')
    if (response.headersSent) next(error)
    else response.status(httpError.status).json(toBody(httpError))
  }
}
