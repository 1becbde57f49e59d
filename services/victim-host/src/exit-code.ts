import type { InstallExit } from '@landfall/contracts/install-exit'
import { installExit } from '@landfall/contracts/install-exit'
import type { HostStep } from './run-host.ts'

/** What the way a host's command ended means for the installation. */
export function exitOf({
  exitCode,
  signal,
  timedOut,
}: Pick<HostStep, 'exitCode' | 'signal' | 'timedOut'>): InstallExit {
  if (timedOut) return installExit.timeout
  if (signal !== null || exitCode === null) return installExit.killed
  if (exitCode === 0) return installExit.accepted
  // As in a shell: 126 cannot be executed, 127 cannot be found.
  if (exitCode === 126 || exitCode === 127) return installExit.hostMissing
  return installExit.refused
}

/**
 * Exit codes by which a host that speaks MCP itself says that it did not come to a decision: the server was not there
 * or went away, and as in sysexits.h a call that cannot be understood and a defect of the program.
 */
const undecided: Readonly<Record<number, InstallExit>> = {
  4: installExit.fetchFailed,
  64: installExit.crashed,
  70: installExit.crashed,
}

/** As {@link exitOf}, for a `connect` step: 0 installed, the codes above no decision, anything else refused. */
export function exitOfConnect(ended: Pick<HostStep, 'exitCode' | 'signal' | 'timedOut'>): InstallExit {
  const exit = exitOf(ended)
  return exit === installExit.refused ? (undecided[ended.exitCode ?? 0] ?? exit) : exit
}

// What says most about the installation as a whole comes first.
const precedence = [installExit.hostMissing, installExit.timeout, installExit.killed, installExit.refused] as const

/** The exit code of an installation of several skills: one refusal makes it a refusal. */
export function exitOfAll(codes: readonly InstallExit[]): InstallExit {
  return precedence.find((code) => codes.includes(code)) ?? installExit.accepted
}
