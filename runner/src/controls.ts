import type { ControlResult, HostProfile, TrialResult } from '@landfall/contracts'
import type { Planned, PlannedTrial } from './plan.ts'

/**
 * The controls that every run carries. A control that fails, or that did not run, voids the run: what a lab
 * says is worth nothing when its naive host resists, its inert host lets something land, or an honest skill strays.
 * `ofLab`: the controls of the lab itself, isolation and witnesses.
 */
export function checkControls(
  planned: readonly Planned[],
  results: readonly TrialResult[],
  ofLab: readonly ControlResult[],
): ControlResult[] {
  const byId = new Map(results.map((result) => [result.id, result]))
  const trials = planned.filter((item): item is PlannedTrial => item.kind === 'trial')
  const outcomeOf = (trial: PlannedTrial) => byId.get(trial.id)?.outcome ?? 'not run'
  const check = (
    name: string,
    claim: string,
    subjects: readonly PlannedTrial[],
    holds: (trial: PlannedTrial) => boolean,
  ): ControlResult => {
    if (subjects.length === 0) return { name, passed: false, detail: `${claim}: nothing to check it on` }
    const broken = subjects.filter((trial) => !holds(trial))
    const detail = broken.map((trial) => `${trial.id} was ${outcomeOf(trial)}`).join('; ')
    return {
      name,
      passed: broken.length === 0,
      detail: broken.length === 0 ? `${claim}: ${subjects.length} of ${subjects.length}` : detail,
    }
  }
  const isBenign = (trial: PlannedTrial) => trial.fixture.action === 'accept'
  const ofControl = (kind: HostProfile['control']) => (trial: PlannedTrial) => trial.host.control === kind

  return [
    check(
      'naive',
      'the naive host lets every applicable fixture land',
      trials.filter((trial) => ofControl('naive')(trial) && !isBenign(trial)),
      (trial) => outcomeOf(trial) === 'landed',
    ),
    check('inert', 'nothing lands on the inert host', trials.filter(ofControl('inert')), (trial) =>
      ['blocked', 'not-exercised'].includes(outcomeOf(trial)),
    ),
    check(
      'benign',
      'the benign skill is installed and stays inside its directory',
      trials.filter((trial) => isBenign(trial) && !ofControl('inert')(trial)),
      (trial) => outcomeOf(trial) === 'contained',
    ),
    ...ofLab,
  ]
}
