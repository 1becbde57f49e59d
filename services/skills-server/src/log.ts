import { AsyncLocalStorage } from 'node:async_hooks'
import type { DestinationStream, Logger } from 'pino'
import pino from 'pino'
import type { Config } from './config.ts'

/**
 * The log: one JSON object a line, which is why nothing that a client sends can forge a line. Whatever is
 * logged while a request is being answered carries that request's id.
 */
const currentRequest = new AsyncLocalStorage<string>()

export function createLog(level: Config['logLevel'], destination: DestinationStream): Logger {
  const mixin = () => {
    const requestId = currentRequest.getStore()
    return requestId === undefined ? {} : { requestId }
  }
  return pino({ level, base: { service: 'skills-server' }, mixin }, destination)
}

/** Runs `work`, and all that follows from it, on behalf of one request. */
export function onBehalfOf(requestId: string, work: () => void): void {
  currentRequest.run(requestId, work)
}
