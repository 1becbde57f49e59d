import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InstallReport, Observation, TrialRecord, UseReport } from '@landfall/contracts'
import { z } from 'zod'

/** What the report shows of a trial's evidence. The folder of the trial holds all of it. */
export interface EvidenceExtract {
  readonly changes: readonly string[]
  readonly moreChanges: number
  readonly decoys: readonly string[]
  readonly blindness: readonly string[]
  readonly access: readonly string[]
  readonly exitCode: number | null
  readonly log: string
}

const maxChanges = 200
const maxLogBytes = 8 * 1024

const Use = z.looseObject({ report: UseReport.optional() })
const Install = z.looseObject({ exitCode: z.int().nullable() })

/** Evidence of a trial that the lab could not finish does not exist: null. */
export async function readEvidence(folder: string): Promise<EvidenceExtract | null> {
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const texts = await Promise.all([
    read('observation.json'),
    read('access.json'),
    read('install.json'),
    read('install.stdout.log'),
    read('install.stderr.log'),
  ]).catch(() => null)
  if (texts === null) return null
  const [observationText, accessText, installText, stdout, stderr] = texts
  // Only of trials in which something was used.
  const useText = await read('use.json').catch(() => undefined)
  const observation = Observation.parse(JSON.parse(observationText))
  const { access } = TrialRecord.parse(JSON.parse(accessText))
  return {
    changes: observation.changes.slice(0, maxChanges).map(describeChange),
    moreChanges: Math.max(0, observation.changes.length - maxChanges),
    decoys: observation.decoys.map(describeDecoy),
    blindness: observation.blindness.map(({ kind, detail }) => `${kind}: ${detail}`),
    access: access.map(
      ({ time, method, uri, bytes }) => `${time.slice(11, 23)} ${method} ${uri ?? ''} (${bytes} bytes)`,
    ),
    exitCode: Install.parse(JSON.parse(installText)).exitCode,
    log: `${describeSteps(stdout)}${stderr}${useText === undefined ? '' : describeUse(useText)}`.slice(0, maxLogBytes),
  }
}

function describeChange({ kind, path, after, fields, delivery }: Observation['changes'][number]): string {
  const notes = [
    after === undefined ? '' : `${after.type} ${after.mode.toString(8).padStart(4, '0')} ${after.size} bytes`,
    after?.target === undefined ? '' : `-> ${after.target}`,
    kind === 'changed' && fields !== undefined ? `(${fields.join(', ')})` : '',
    delivery === true ? '(the delivered archive itself)' : '',
    // Not left out: a host that runs as root could write there too.
    path === '/etc/hosts' && kind === 'changed' ? '(the engine writes it when a victim ends)' : '',
  ]
  return [kind.padEnd(7), path, ...notes.filter((note) => note !== '')].join(' ')
}

function describeDecoy({ name, path, state, hardLinks, symlinks, copies }: Observation['decoys'][number]): string {
  const uses = [
    ...hardLinks.map((link) => `hard link ${link}`),
    ...symlinks.map((link) => `symbolic link ${link}`),
    ...copies.map((copy) => `copy ${copy}`),
  ]
  return `${name} ${path}: ${[state, ...uses].join(', ')}`
}

/** The commands that the host ran and what they printed; the raw output when the report at its end is missing. */
function describeSteps(stdout: string): string {
  const last = stdout.trimEnd().split('\n').at(-1) ?? ''
  const report = InstallReport.safeParse(parseOrUndefined(last))
  if (!report.success) return stdout
  return report.data.steps
    .map(({ command, output, exitCode, signal, durationMs }) => {
      const end = signal === null ? `exit code ${exitCode}` : `killed by ${signal}`
      return `$ ${command.join(' ')}\n${output}[${end} after ${Math.round(durationMs)} ms]\n`
    })
    .join('\n')
}

/** What the agent read and started, and what set it off. */
function describeUse(text: string): string {
  const { report } = Use.parse(JSON.parse(text))
  const skills = report?.skills ?? []
  const lines = skills.flatMap(({ skill, loaded, read, steps }) => [
    loaded ? `[the agent uses ${skill}]` : `[the agent finds no SKILL.md of ${skill}]`,
    ...read.map((file) => `[reads ${file}]`),
    ...steps.map(
      ({ trigger, source, run, output, exitCode, signal }) =>
        `[${trigger}, ${source}]\n$ ${run}\n${output}[${signal === null ? `exit code ${exitCode}` : `killed by ${signal}`}]`,
    ),
  ])
  return `\n${lines.length === 0 ? '[the agent left no report]' : lines.join('\n')}\n`
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
