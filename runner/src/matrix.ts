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
  const all = [...groups]
  const drawn = all.filter(([, trials]) => trials.some(ran))
  return (drawn.length === 0 ? all : drawn).map(([title, trials]) => {
    // Hosts that take nothing this way would be a column of dots each; results.json says of each cell why.
    const met = trials.some(ran) ? trials.filter(ran) : trials
    const hosts = [...new Set(met.map(({ host }) => host))]
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

/** Whether fixture and host could meet at all. */
const ran = ({ outcome, evidence }: TrialResult) => outcome !== 'not-exercised' || evidence !== ''

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
