import { spawn } from 'node:child_process'
import type { InstallExit } from '@landfall/contracts/install-exit'
import { installExit } from '@landfall/contracts/install-exit'
import type { VictimLayout } from '@landfall/contracts/layout'
import { hostEnvironment, killGroup } from '../run-host.ts'

/**
 * Starts the agent after an installation: a process of its own, which prints its report on the same stdout, in a
 * group of its own, which is ended at its limit. A skill that is not there afterwards was used as far as it went.
 */
export function useInstalled(request: string, json: boolean, layout: VictimLayout, user: string): Promise<InstallExit> {
  const args = ['use', '--request', request, ...(json ? ['--json'] : [])]
  const env = hostEnvironment(layout.home, user, {})
  return new Promise((resolve) => {
    const child = spawn('landfall-host', args, {
      cwd: layout.workspace,
      env,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    let timedOut = false
    const timer = setTimeout(
      () => {
        timedOut = true
        killGroup(child.pid)
      },
      limitSeconds(request) * 1000,
    )
    child.on('error', () => resolve(installExit.useFailed))
    child.on('exit', (code) => {
      clearTimeout(timer)
      if (timedOut) resolve(installExit.useTimeout)
      // 1: a skill could not be loaded, because what the host accepted is not what it installed.
      else resolve(code === 0 || code === 1 ? installExit.accepted : installExit.useFailed)
    })
  })
}

const usualSeconds = 60

/** Read by hand: the schema is the child's to apply, and takes time to load. */
function limitSeconds(request: string): number {
  const seconds = Number(/"timeoutSeconds":\s*(\d+(?:\.\d+)?)/.exec(request)?.[1] ?? usualSeconds)
  return seconds > 0 ? seconds : usualSeconds
}
