import type { UseReport, UseRequest } from '@landfall/contracts'
import type { VictimLayout } from '@landfall/contracts/layout'
import { skillDestination } from '@landfall/contracts/layout'
import { fillCommand } from '../placeholders.ts'
import { hostEnvironment, runHost } from '../run-host.ts'
import type { Starter } from './session.ts'
import { useSkill } from './use-skill.ts'

/** Uses installed skills one after the other, with commands that run as a host's own do. */
export interface UseJob {
  readonly layout: VictimLayout
  /** Name of the victim's user. */
  readonly user: string
}

/** Wall-clock limit of one command; that of the whole use is kept by whoever started this process. */
const commandLimitMs = 20_000
/** Of what a command printed goes into the report: what the agent itself keeps is more. */
const outputKept = 2 * 1024
const runKept = 512

export async function useSkills(request: UseRequest, { layout, user }: UseJob): Promise<UseReport> {
  const report: UseReport = { step: 'use', skills: [] }
  for (const skill of request.skills) {
    const [directory = skillDestination(layout, skill)] =
      request.place === undefined ? [] : fillCommand([request.place], { home: layout.home, skill })
    const env = hostEnvironment(layout.home, user, {
      CLAUDE_SKILL_DIR: directory,
      CLAUDE_PROJECT_DIR: layout.workspace,
    })
    const start: Starter = async (run) =>
      await runHost({ argv: ['bash', '-c', run], cwd: layout.workspace, env, timeoutMs: commandLimitMs })
    const place = { directory, workspace: layout.workspace, path: env['PATH'] ?? '' }
    const used = await useSkill({ ...place, skill, start, unreadable: request.unreadable })
    report.skills.push({
      ...used,
      steps: used.steps.map(({ skill: name, trigger, source, run, exitCode, signal, durationMs, timedOut, output }) => {
        const told = { run: run.slice(0, runKept), output: output.slice(-outputKept) }
        return { skill: name, trigger, source, exitCode, signal, durationMs, timedOut, ...told }
      }),
    })
  }
  return report
}
