import type { Health } from '@landfall/contracts'
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/express'
import type { Express } from 'express'
import express from 'express'
import type { Logger } from 'pino'
import { serverInfo } from '../version.ts'
import { requestLog } from './request-log.ts'
import { plainTarget } from './target.ts'

/** What both ports have in common: the log, the guard against foreign names, and the health answer. */
export interface BaseAppParts {
  readonly log: Logger
  /** Host names, without ports, under which this server may be addressed. The same names are allowed as origins. */
  readonly allowedHosts: readonly string[]
  /** Takes any name. Only for a server that stands behind something that looks at them. */
  readonly anyHost?: boolean
}

export function baseApp({ log, allowedHosts, anyHost = false }: BaseAppParts): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(requestLog(log))
  app.use(plainTarget)
  if (!anyHost) app.use(hostHeaderValidation([...allowedHosts]), originValidation([...allowedHosts]))
  const health: Health = { status: 'ok', service: 'skills-server', version: serverInfo.version }
  app.get('/healthz', (_request, response) => {
    response.json(health)
  })
  return app
}
