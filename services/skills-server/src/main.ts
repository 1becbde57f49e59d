import { LandfallError } from '@landfall/contracts'
import pino from 'pino'
import { readConfig } from './config.ts'
import { createLog } from './log.ts'
import type { StartedService } from './service.ts'
import { startService } from './service.ts'

/** The process: settings from the environment, logs on stderr, an orderly end on SIGTERM and SIGINT. */
const stderr = pino.destination(2)
const hardLimitMs = 1_900

try {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel, stderr)
  const service = await startService(config, { log })
  log.info({ mcp: service.mcpUrl, control: service.controlUrl }, 'listening')
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping')
      void stop(service)
    })
  }
} catch (error) {
  const reason = error instanceof LandfallError ? { code: error.code, reason: error.message } : { err: error }
  createLog('error', stderr).error(reason, 'cannot start')
  process.exitCode = 1
}

async function stop(service: StartedService): Promise<void> {
  // Whatever hangs must not keep the container from stopping.
  setTimeout(() => process.exit(1), hardLimitMs).unref()
  await service.stop()
}
