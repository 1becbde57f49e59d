import type { InstallReport } from '@landfall/contracts'
import type { Installation } from './installation.ts'
import type { HostStep } from './run-host.ts'
import { hostEnvironment, runHost } from './run-host.ts'

/** Runs one step of a host's profile in the user's project, tells of it, and enters it into the report. */
export async function runStep(
  { profile, layout, tell, user }: Pick<Installation, 'profile' | 'layout' | 'tell' | 'user'>,
  report: InstallReport,
  argv: string[],
  { timeoutSeconds }: { readonly timeoutSeconds: number },
): Promise<HostStep> {
  tell.running(argv)
  const ran = await runHost({
    argv,
    // So that what a host writes to a relative path by mistake is seen as an escape.
    cwd: layout.workspace,
    env: hostEnvironment(layout.home, user, profile.env),
    timeoutMs: timeoutSeconds * 1000,
  })
  report.steps.push(ran)
  tell.ran(ran)
  return ran
}
