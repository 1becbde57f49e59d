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

/** What a host that speaks MCP itself answers when it never reached the server: that is no refusal. */
const unreachable = 4

/** As {@link exitOf}, for a `connect` step: 0 installed, 4 never reached the server, anything else refused. */
export function exitOfConnect(ended: Pick<HostStep, 'exitCode' | 'signal' | 'timedOut'>): InstallExit {
  const exit = exitOf(ended)
  return exit === installExit.refused && ended.exitCode === unreachable ? installExit.fetchFailed : exit
}

// What says most about the installation as a whole comes first.
const precedence = [installExit.hostMissing, installExit.timeout, installExit.killed, installExit.refused] as const

/** The exit code of an installation of several skills: one refusal makes it a refusal. */
export function exitOfAll(codes: readonly InstallExit[]): InstallExit {
  return precedence.find((code) => codes.includes(code)) ?? installExit.accepted
}
