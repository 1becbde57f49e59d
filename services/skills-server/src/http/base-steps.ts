import type { Health } from '@landfall/contracts'
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import { serverInfo } from '../version.ts'
import { rpcError } from './errors.ts'
import { requestLog } from './request-log.ts'
import type { Step } from './step.ts'
import { inOrder, sendJson } from './step.ts'
import { plainTarget } from './target.ts'

/** What both ports have in common: the log, the guard against foreign names, and the health answer. */
export interface BaseParts {
  readonly log: Logger
  /** Host names, without ports, under which this server may be addressed. The same names are allowed as origins. */
  readonly allowedHosts: readonly string[]
  /** Takes any name. Only for a server that stands behind something that looks at them. */
  readonly anyHost?: boolean
}

export function baseSteps({ log, allowedHosts, anyHost = false }: BaseParts): Step {
  const names = anyHost ? [] : [onlyNames([...allowedHosts])]
  return inOrder([requestLog(log), plainTarget, ...names, health])
}

/** The SDK's own code for a name that is not allowed. */
const foreignName = -32_000

function onlyNames(allowed: string[]): Step {
  return ({ headers }, response, next) => {
    const host = validateHostHeader(headers.host, allowed)
    const result = host.ok ? validateOriginHeader(headers.origin, allowed) : host
    if (result.ok) next()
    else sendJson(response, 403, rpcError(foreignName, result.message))
  }
}

const healthy: Health = { status: 'ok', service: 'skills-server', version: serverInfo.version }

const health: Step = ({ method, url = '/' }, response, next) => {
  if ((method === 'GET' || method === 'HEAD') && pathOf(url) === '/healthz') sendJson(response, 200, healthy)
  else next()
}

/** The path of a target in origin form. */
export function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
