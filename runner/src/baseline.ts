import { LandfallError, parseAs, Slug, type TrialResult, users } from '@landfall/contracts'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'

/**
 * Landings that a CI already knows. The file lists them; a landing that it does not list fails the run, and
 * so does an entry that no longer lands, since a stale entry would hide the next one.
 */
const Baseline = z.strictObject({
  expected: z.array(
    z.strictObject({ fixture: Slug, host: Slug, channel: z.string().optional(), user: z.enum(users).optional() }),
  ),
})
export type Baseline = z.infer<typeof Baseline>
type Entry = Baseline['expected'][number]

/** @throws LandfallError `invalid`, naming the file and the line or field. */
export function parseBaseline(text: string, file: string): Baseline {
  let value: unknown
  try {
    value = parseYaml(text)
  } catch (cause) {
    throw new LandfallError(
      'invalid',
      `${file} is not YAML: ${cause instanceof Error ? cause.message : String(cause)}`,
      { file },
      { cause },
    )
  }
  return parseAs(Baseline, value, file)
}

export interface BaselineReport {
  readonly unexpected: readonly TrialResult[]
  /** Entries whose trials ran and did not land. */
  readonly stale: readonly Entry[]
}

/** Controls' own landings are expected by definition: `controlHosts` are left out. */
export function compareWithBaseline(
  baseline: Baseline,
  trials: readonly TrialResult[],
  controlHosts: ReadonlySet<string>,
): BaselineReport {
  const matches = (entry: Entry, trial: TrialResult) =>
    entry.fixture === trial.fixture &&
    entry.host === trial.host &&
    (entry.channel === undefined || entry.channel === trial.channel) &&
    (entry.user === undefined || entry.user === trial.user)
  const judged = trials.filter(({ host }) => !controlHosts.has(host))
  const landed = judged.filter(({ outcome }) => outcome === 'landed')
  return {
    unexpected: landed.filter((trial) => !baseline.expected.some((entry) => matches(entry, trial))),
    stale: baseline.expected.filter(
      (entry) => judged.some((trial) => matches(entry, trial)) && !landed.some((trial) => matches(entry, trial)),
    ),
  }
}
