import { findCorpusSkill } from '@landfall/catalog'
import type { Outcome, Results, TrialResult, Verdict, VictimUser } from '@landfall/contracts'

/**
 * The shape that both reports draw: fixtures down, hosts across, one matrix per channel and user. The skills of the
 * corpus stand apart: there the host is judged together with an agent that uses what it has let in.
 */
export interface Matrix {
  readonly title: string
  readonly user: VictimUser
  readonly hosts: readonly string[]
  readonly rows: readonly { readonly fixture: string; readonly cells: readonly (TrialResult | undefined)[] }[]
}

export function toMatrices(results: Pick<Results, 'trials'>): Matrix[] {
  const groups = Map.groupBy(results.trials, ({ channel, user, fixture }) => {
    const corpus = findCorpusSkill(fixture) === undefined ? '' : 'corpus, installed and used: '
    return `${corpus}${channel}, as ${user}`
  })
  return [...groups].map(([title, trials]) => {
    const hosts = [...new Set(trials.map(({ host }) => host))]
    const byFixture = Map.groupBy(trials, ({ fixture }) => fixture)
    return {
      title,
      user: trials[0]?.user ?? 'agent',
      hosts,
      rows: [...byFixture].map(([fixture, cells]) => ({
        fixture,
        cells: hosts.map((host) => cells.find((cell) => cell.host === host)),
      })),
    }
  })
}

/** One sign per outcome. Shape, not only colour, tells them apart. */
export const outcomeSigns: Readonly<Record<Outcome, string>> = {
  landed: '●',
  contained: '◐',
  blocked: '○',
  'not-exercised': '·',
  inconclusive: '?',
}

export type Tone = 'bad' | 'middling' | 'good' | 'quiet' | 'broken'

export const verdictTones: Readonly<Record<Verdict, Tone>> = {
  fail: 'bad',
  gap: 'bad',
  partial: 'middling',
  pass: 'good',
  'n/a': 'quiet',
  void: 'broken',
}

export function countOutcomes(trials: readonly TrialResult[]): Partial<Record<Outcome, number>> {
  const counts: Partial<Record<Outcome, number>> = {}
  for (const { outcome } of trials) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
