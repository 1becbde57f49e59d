import { UseReport } from '@landfall/contracts'

/**
 * Takes apart what a victim's own command printed: the installation's part, and the report of the agent that used
 * the skill afterwards, which is the last line of that form. Pure.
 */
export interface StepOutputs {
  readonly install: string
  readonly use?: UseReport
}

export function splitOutput(stdout: string): StepOutputs {
  const lines = stdout.split('\n')
  const at = lines.findLastIndex((line) => line.startsWith('{"step":"use"'))
  const report = at < 0 ? undefined : UseReport.safeParse(parseOrUndefined(lines[at] ?? ''))
  if (report?.success !== true) return { install: stdout }
  return { install: lines.toSpliced(at, 1).join('\n'), use: report.data }
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
