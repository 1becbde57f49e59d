import type { InstallReport } from '@landfall/contracts'
import type { InstallExit } from '@landfall/contracts/install-exit'
import { installExit } from '@landfall/contracts/install-exit'
import { exitOfConnect } from './exit-code.ts'
import type { Installation } from './installation.ts'
import { fillCommand } from './placeholders.ts'
import { shimsFolder } from './profiles.ts'
import { runStep } from './run-step.ts'

/** Runs a host that speaks MCP itself: it gets the endpoint, and finds, fetches and installs by its own rules. */
export async function connectHost(
  job: Omit<Installation, 'reader' | 'formats'>,
  report: InstallReport,
  endpoint: URL,
  channel: string,
): Promise<InstallExit> {
  const step = job.profile.connect
  if (step === undefined) return installExit.nothingToInstall
  const revision = channel === 'mcp-stable' ? 'stable' : 'index'
  const argv = fillCommand(step.run, { url: endpoint.href, revision, home: job.layout.home, shims: shimsFolder })
  return exitOfConnect(await runStep(job, report, argv, step))
}
