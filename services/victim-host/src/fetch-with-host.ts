import type { InstallReport } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts/errors'
import type { InstallExit } from '@landfall/contracts/install-exit'
import { installExit } from '@landfall/contracts/install-exit'
import { exitOf, exitOfAll } from './exit-code.ts'
import type { Installation } from './installation.ts'
import { fillCommand } from './placeholders.ts'
import { shimsFolder } from './profiles.ts'
import { runStep } from './run-step.ts'

/** Runs a host that fetches by itself: it gets one address after the other, and installs by its own rules. */
interface Source {
  readonly skill: string
  readonly url: string
}

/** @param sources a list of `{skill, url}` as JSON. @throws LandfallError `usage` for anything else. */
export async function fetchWithHost(
  job: Omit<Installation, 'reader' | 'formats'>,
  report: InstallReport,
  channel: string,
  sources: string,
): Promise<InstallExit> {
  // The runner leaves the step that it has chosen.
  const step = job.profile.fetch?.find((each) => each.channel === channel)
  if (step === undefined) return installExit.nothingToInstall
  const codes: InstallExit[] = []
  for (const { skill, url } of parseSources(sources)) {
    const argv = fillCommand(step.run, { url, skill, home: job.layout.home, shims: shimsFolder })
    codes.push(exitOf(await runStep(job, report, argv, step)))
  }
  return codes.length === 0 ? installExit.nothingToInstall : exitOfAll(codes)
}

function parseSources(text: string): Source[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list) && list.every(isSource)) return list
  } catch {
    // Said below.
  }
  throw new LandfallError('usage', '--sources is not a list of addresses in JSON')
}

function isSource(value: unknown): value is Source {
  if (typeof value !== 'object' || value === null) return false
  return 'skill' in value && typeof value.skill === 'string' && 'url' in value && typeof value.url === 'string'
}
