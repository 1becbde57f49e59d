import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { openScope } from '../request-scope.ts'
import type { Step } from './step.ts'

/**
 * One log line for each request, when it has been answered or given up.
 *
 * The id is our own, never the client's, and goes back in `X-Request-Id`. The path is cut, so that nobody
 * floods the log with a single request.
 */
const maxPathLength = 300

export function requestLog(log: Logger): Step {
  return (request, response, next) => {
    const requestId = randomUUID()
    const started = performance.now()
    const { method, url = '' } = request
    const path = url.slice(0, maxPathLength)
    response.setHeader('X-Request-Id', requestId)
    const closed = Promise.withResolvers<void>()
    response.once('close', () => {
      closed.resolve()
      const ms = Math.round((performance.now() - started) * 10) / 10
      const line = { requestId, method, path, status: response.statusCode, ms }
      // The container's health check would drown everything else.
      if (path === '/healthz') log.debug(line, 'request')
      else log.info(line, 'request')
    })
    openScope(response, { id: requestId, closed: closed.promise, cut: () => response.destroy() })
    next()
  }
}
