import { fixtures } from '@landfall/catalog'
import {
  type ArchiveFormat,
  type HostProfile,
  InstallReport,
  installExit,
  type VictimUser,
  victimLayout,
} from '@landfall/contracts'
import { keptDirectories, namedDirectories } from './kept.ts'
import type { ObservedTrial } from './trial.ts'

/** Says what a host did with the benign skill, and what is missing, in sentences. Pure. */
export interface Finding {
  readonly ok: boolean
  readonly text: string
}

/** What of a trial matters here. */
export type CheckedTrial = Pick<ObservedTrial, 'install' | 'observation'>

export const benign = fixtures.find(({ id }) => id === 'control-benign')

/** @param format of the archive that it was given; absent for a host that fetches by itself. */
export function findingsOf(
  host: HostProfile,
  format: ArchiveFormat | undefined,
  user: VictimUser,
  { install, observation }: CheckedTrial,
): Finding[] {
  const layout = victimLayout(user)
  const places = namedDirectories(host, layout, ['control-benign'])
  const [dest = ''] = places
  const step = lastStep(install.stdout)
  const told = step === undefined || step.output.trim() === '' ? '' : ` It said: ${lastLines(step.output)}`
  const bad = (text: string): Finding[] => [{ ok: false, text: `${text}${told}` }]
  switch (install.exitCode) {
    case installExit.accepted:
      break
    case installExit.hostMissing:
      return bad(
        `the command ${first(host, format)} was not found in the victim: put it there with a Dockerfile, or correct its name.`,
      )
    case installExit.timeout:
    case null:
      return bad(`the command did not end within ${install.commandLimitSeconds} s.`)
    case installExit.refused:
      return bad(`the command ended with exit code ${String(step?.exitCode ?? '?')}, which counts as a refusal.`)
    case installExit.killed:
      return bad(`the command was ended by ${step?.signal ?? 'a signal'}.`)
    default:
      return bad(`the lab could not do it: exit code ${install.exitCode}. ${lastLines(install.stderr)}`)
  }
  const files = observation.changes.flatMap(({ path, after }) => (after?.type === 'file' ? [path] : []))
  const inside = files.filter((path) => path.startsWith(`${dest}/`))
  const delivered = (path: string) => path.startsWith(`${layout.home}/.landfall/`)
  const own = [...places, ...keptDirectories(host, layout.home, observation.changes)]
  const outside = files.filter((path) => !own.some((folder) => path.startsWith(`${folder}/`)) && !delivered(path))
  const where = format === undefined ? 'its place' : '{dest}'
  const strayed = observation.sightings.filter(({ path }) => outside.includes(path)).map(({ path }) => path)
  if (strayed.length > 0)
    return bad(
      `it put files of the skill outside of ${where}, which is ${dest}: ${list(strayed)}. ${format === undefined ? 'Are `places`, `keeps` and `scratch` right?' : 'Does the command name {dest}?'}`,
    )
  if (inside.length === 0)
    return bad(
      `it reported success and installed nothing in ${where}, which is ${dest}. ${format === undefined ? 'Is `places` right?' : 'Does the command name {archive} and {dest}?'}`,
    )
  const missing = expected.filter((name) => !inside.includes(`${dest}/${name}`))
  if (missing.length > 0)
    return bad(`it installed ${list(inside.map((path) => path.slice(dest.length + 1)))}, but not ${list(missing)}.`)
  const also = outside.length === 0 ? '' : ` It also wrote ${list(outside)}.`
  return [{ ok: true, text: `installed all ${expected.length} files inside its directory.${also}` }]
}

/** The files of the benign skill. */
const expected = ['SKILL.md', 'references/notes.md', 'scripts/hello.sh'] as const

function lastStep(stdout: string): InstallReport['steps'][number] | undefined {
  try {
    return InstallReport.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).steps.at(-1)
  } catch {
    return undefined
  }
}

function first(host: HostProfile, format: ArchiveFormat | undefined): string {
  if (format === undefined) return host.fetch?.[0]?.run[0] ?? ''
  return host.install.find((step) => step.format === format)?.run[0] ?? ''
}

const list = (items: readonly string[]) =>
  items.length > 4 ? `${items.slice(0, 4).join(', ')} and ${items.length - 4} more` : items.join(', ')

function lastLines(output: string): string {
  const text = output.replaceAll(/[^\x20-\x7e\n]/g, '?').trim()
  return text.split('\n').slice(-3).join(' / ').slice(-400)
}
