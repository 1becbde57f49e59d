import { type ErrorCode, LandfallError } from '@landfall/contracts/errors'

/** Exit codes of `landfall`. One line on stderr says why. */
export const exitCodes = {
  done: 0,
  /** A landing that the baseline does not expect, or an entry of it that is stale. */
  unexpectedLanding: 1,
  usage: 2,
  /** A control failed, or the lab did: the run proves nothing. */
  voidRun: 3,
  /** No engine, or a machine without room for one. */
  noEngine: 4,
  /** Stopped by the user, as shells report SIGINT. */
  interrupted: 130,
} as const

const byErrorCode: Readonly<Record<ErrorCode, number>> = {
  usage: exitCodes.usage,
  invalid: exitCodes.usage,
  unknown: exitCodes.usage,
  engine: exitCodes.noEngine,
  machine: exitCodes.noEngine,
  service: exitCodes.voidRun,
  conflict: exitCodes.voidRun,
  timeout: exitCodes.voidRun,
  digest: exitCodes.voidRun,
  interrupted: exitCodes.interrupted,
}

/** The exit code of an error that ended a command. What is not ours is a defect, and voids the run. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof SuppressedError) return exitCodeOf(error.suppressed)
  return error instanceof LandfallError ? byErrorCode[error.code] : exitCodes.voidRun
}
