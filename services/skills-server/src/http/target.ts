import { controlError } from './errors.ts'
import type { Step } from './step.ts'
import { sendJson } from './step.ts'

/** Methods that the web's own request type, which the MCP handler is given, refuses to hold. */
const untakeable = new Set(['TRACE', 'TRACK', 'CONNECT'])

/**
 * Requests whose line the handlers behind cannot take: a method that is never served, and a target in absolute
 * form (RFC 9112, 3.2.2), which must be accepted and is served by its path when it names the host it was sent to.
 */
export const plainTarget: Step = (request, response, next) => {
  const { method = '', url = '', headers } = request
  if (untakeable.has(method)) {
    sendJson(response, 405, controlError('invalid', 'The method is not served'), { Allow: 'GET, POST, DELETE' })
    return
  }
  if (url.startsWith('/')) {
    next()
    return
  }
  const target = URL.parse(url)
  if (target === null || target.host !== headers.host) {
    sendJson(response, 400, controlError('invalid', 'The request names another host'))
    return
  }
  request.url = target.pathname + target.search
  next()
}
