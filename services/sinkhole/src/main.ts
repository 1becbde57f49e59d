import { LandfallError } from '@landfall/contracts'
import pino from 'pino'
import { createLog } from './log.ts'
import { startSinkhole } from './service.ts'
import { readSettings } from './settings.ts'

/** The process: settings from the environment, logs on stderr, an end at once on a signal. Nothing has to be kept. */
const stderr = pino.destination({ fd: 2, sync: false, minLength: 4_096, periodicFlush: 100 })

try {
  const settings = readSettings(process.env)
  const log = createLog(settings.logLevel, stderr)
  // Whatever a victim sends: one request that ends badly must not be the last.
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught'))
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled'))
  await startSinkhole(settings, { log })
  log.info({ address: settings.labAddress, manual: settings.manual }, 'listening')
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0))
} catch (error) {
  const reason = error instanceof LandfallError ? { code: error.code, reason: error.message } : { err: error }
  createLog('error', pino.destination({ fd: 2, sync: true })).error(reason, 'cannot start')
  process.exitCode = 1
}
