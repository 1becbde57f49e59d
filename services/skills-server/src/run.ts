import { LandfallError } from '@landfall/contracts'
import pino from 'pino'
import { readCommandLine } from './command-line.ts'
import { readConfig } from './config.ts'
import { createLog } from './log.ts'
import { startService } from './service.ts'
import { startStdio } from './stdio.ts'

/** The process: settings from the command line and the environment, logs on stderr, an orderly end on a signal. */
/** Many lines a write, as each write costs more than its lines. None waits longer than this, nor when the process ends. */
const flushMs = 100
const flushBytes = 8 * 1024
const stderr = pino.destination({ fd: 2, sync: false, minLength: flushBytes, periodicFlush: flushMs })
const hardLimitMs = 1_900

/** Starts the server that `argv` and the environment ask for. On failure says why and sets the exit code. */
export async function run(argv: readonly string[]): Promise<void> {
  try {
    await start(argv)
  } catch (error) {
    process.exitCode = explain(error)
  }
}

async function start(argv: readonly string[]): Promise<void> {
  const { transport, ...choices } = readCommandLine(argv)
  const config = readConfig(process.env, choices)
  const log = createLog(config.logLevel, stderr)
  const service = await (transport === 'stdio' ? startStdio(config, log) : startService(config, { log }))
  const { profile, revisions } = config
  const where = service.mcpUrl === undefined ? { stdio: true } : { mcp: service.mcpUrl, control: service.controlUrl }
  log.info({ ...where, profile, revisions }, 'listening')
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping')
      void stop(service)
    })
  }
}

async function stop(service: { stop(): Promise<void> }): Promise<void> {
  // Whatever hangs must not keep the container from stopping.
  setTimeout(() => process.exit(1), hardLimitMs).unref()
  await service.stop()
}

/** Says what went wrong, or the help that was asked for, and gives the exit code. */
function explain(error: unknown): number {
  if (error instanceof LandfallError && error.data['help'] === true) {
    process.stdout.write(`${error.message}\n`)
    return 0
  }
  const reason = error instanceof LandfallError ? { code: error.code, reason: error.message } : { err: error }
  createLog('error', stderr).error(reason, 'cannot start')
  return 1
}
