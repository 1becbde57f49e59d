import { parseAs, UseReport, UseRequest, victimLayout } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts/errors'
import { harmless } from '../printable.ts'
import { preparedHosts } from '../profiles.ts'
import { isSkillName } from '../skill-index.ts'
import { useSkills } from './use.ts'

/**
 * `landfall-host use`: lets the scripted agent use installed skills. A process of its own, so that a payload
 * which stops it has not stopped the installation.
 */
export interface UseOptions {
  readonly skills: readonly string[]
  /** A {@link UseRequest} as JSON, in place of names. */
  readonly request?: string
  readonly json: boolean
}

/**
 * @returns 0 when every skill could be loaded, 1 when one could not.
 * @throws LandfallError `usage` outside of a victim, `invalid` for a request that is none.
 */
export async function useCommand({ skills, request, json }: UseOptions): Promise<number> {
  if (preparedHosts() === undefined)
    throw new LandfallError('usage', 'skills are used in a victim only, and this is none')
  const wanted = parseAs(UseRequest, request === undefined ? { skills } : parseJson(request), 'the request to use')
  // A name becomes a path.
  const odd = wanted.skills.find((name) => !isSkillName(name))
  if (odd !== undefined) throw new LandfallError('usage', `${JSON.stringify(odd)} is not the name of a skill`)
  const user = process.getuid?.() === 0 ? 'root' : 'agent'
  const report = await useSkills(wanted, { layout: victimLayout(user), user })
  process.stdout.write(json ? `${JSON.stringify(parseAs(UseReport, report, 'the report'))}\n` : describe(report))
  return report.skills.every(({ loaded }) => loaded) ? 0 : 1
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LandfallError('usage', 'the request to use is not JSON', {}, { cause })
  }
}

function describe({ skills }: UseReport): string {
  const lines = skills.flatMap(({ skill, loaded, read, steps, leftOut }) => [
    loaded ? `${skill}: loaded` : `${skill}: there is no SKILL.md to load`,
    ...read.map((file) => `  read ${harmless(file)}`),
    ...steps.flatMap(({ trigger, source, run, output, exitCode, signal, timedOut }) => [
      `  ${trigger}, ${harmless(source)}`,
      ...run.split('\n').map((line) => `  $ ${harmless(line)}`),
      ...output
        .trimEnd()
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [`    ${harmless(line)}`])),
      `  ${timedOut ? 'time limit' : signal === null ? `exit code ${String(exitCode)}` : `killed by ${signal}`}`,
    ]),
    ...(leftOut > 0 ? [`  and ${leftOut} more that were not started`] : []),
  ])
  return `${lines.join('\n')}\n`
}
