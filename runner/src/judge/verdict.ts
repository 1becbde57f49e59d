import type { Action, ClauseStatus, Outcome, Verdict } from '@landfall/contracts'

/** The verdict table of the design. A failure against a clause that is not binding is a `gap`. Pure. */
export function verdictOf(action: Action, outcome: Outcome, status: ClauseStatus): Verdict {
  switch (outcome) {
    case 'inconclusive':
      return 'void'
    case 'not-exercised':
      return 'n/a'
    case 'landed':
      return action === 'accept' || status === 'must' ? 'fail' : 'gap'
    case 'contained':
      return action === 'reject' ? 'partial' : 'pass'
    case 'blocked':
      return action === 'accept' ? 'n/a' : 'pass'
  }
}
