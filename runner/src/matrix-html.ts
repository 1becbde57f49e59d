import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FixtureRow, fixtures } from '@landfall/catalog'
import { type Results, type TrialResult } from '@landfall/contracts'
import { outcomeSigns, toMatrices, verdictTones } from './matrix.ts'
import { readEvidence } from './evidence.ts'

/**
 * The matrix as one file that needs nothing else: a template, and the results and the evidence as JSON in
 * it. Everything in it that comes from a payload is hostile; the page shows it as text and nothing is ever
 * assembled as markup.
 */
export async function renderMatrixHtml(results: Results, folder: string): Promise<string> {
  const template = await readFile(new URL('./report/matrix.html', import.meta.url), 'utf8')
  const evidence = await Promise.all(
    results.trials.map(async (trial) => [trial.id, await evidenceOf(trial, folder)] as const),
  )
  const data = {
    run: results.run,
    controls: results.controls,
    fixtures: Object.fromEntries(
      fixtures.map((row) => [
        row.id,
        { title: row.title, serves: row.serves, action: row.action, clauses: describeClauses(row) },
      ]),
    ),
    signs: outcomeSigns,
    tones: verdictTones,
    matrices: toMatrices(results).map(({ title, hosts, rows }) => ({
      title,
      hosts,
      rows: rows.map(({ fixture, cells }) => ({ fixture, cells: cells.map((cell) => cell?.id ?? null) })),
    })),
    trials: Object.fromEntries(results.trials.map((trial) => [trial.id, trial])),
    evidence: Object.fromEntries(evidence),
  }
  const marker = '"LANDFALL-DATA"'
  const [head, tail] = template.split(marker)
  return `${head}${toInlineJson(data)}${tail ?? ''}`
}

/** JSON that cannot end the script element it stands in, whatever the payload was called. */
export function toInlineJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

async function evidenceOf(trial: TrialResult, folder: string) {
  return trial.evidence === '' ? null : readEvidence(join(folder, trial.evidence))
}

function describeClauses({ clauses }: FixtureRow): string {
  return Object.entries(clauses)
    .map(([revision, { ids, status }]) => `${ids.join(', ')} (${revision} revision, ${status})`)
    .join('; ')
}
