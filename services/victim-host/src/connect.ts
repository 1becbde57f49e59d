import type { InstallReport } from '@landfall/contracts'
import type { InstallExit } from '@landfall/contracts/install-exit'
import { installExit } from '@landfall/contracts/install-exit'
import { exitOfConnect } from './exit-code.ts'
import type { Installation } from './installation.ts'
import { fillCommand } from './placeholders.ts'
import { shimsFolder } from './profiles.ts'
import { hostEnvironment, runHost } from './run-host.ts'

/** Runs a host that speaks MCP itself: it gets the endpoint, and finds, fetches and installs by its own rules. */
export async function connectHost(
  { profile, layout, tell, user }: Omit<Installation, 'reader' | 'formats'>,
  report: InstallReport,
  endpoint: URL,
  channel: string,
): Promise<InstallExit> {
  const step = profile.connect
  if (step === undefined) return installExit.nothingToInstall
  const revision = channel === 'mcp-stable' ? 'stable' : 'index'
  const argv = fillCommand(step.run, { url: endpoint.href, revision, home: layout.home, shims: shimsFolder })
  tell.running(argv)
  const ran = await runHost({
    argv,
    cwd: layout.workspace,
    env: hostEnvironment(layout.home, user, profile.env),
    timeoutMs: step.timeoutSeconds * 1000,
  })
  report.steps.push(ran)
  tell.ran(ran)
  return exitOfConnect(ran)
}
