import type { DestinationStream, Logger } from 'pino'
import pino from 'pino'
import type { Config } from './config.ts'
import { currentRequest } from './request-scope.ts'

/**
 * The log: one JSON object a line, which is why nothing that a client sends can forge a line. Whatever is
 * logged while a request is being answered carries that request's id.
 */
export function createLog(level: Config['logLevel'], destination: DestinationStream): Logger {
  const mixin = () => {
    const requestId = currentRequest()?.id
    return requestId === undefined ? {} : { requestId }
  }
  return pino({ level, base: { service: 'skills-server' }, mixin }, asciiOnly(destination))
}

/**
 * Writes everything beyond printable ASCII as an escape. JSON escapes what controls a terminal only below U+0020,
 * and leaves DEL, the controls of Latin-1 and those that turn text around as they are.
 */
function asciiOnly(destination: DestinationStream): DestinationStream {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return { write: (line) => destination.write(line.replaceAll(/[\u007f-\uffff]/g, escape)) }
}
