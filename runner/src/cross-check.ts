import type { TrialResult } from '@landfall/contracts'

/** One line on how W1 and the engine agreed over a whole run; undefined when they were not compared. */
export function describeCrossCheck(trials: readonly Pick<TrialResult, 'crossCheck' | 'id'>[]): string | undefined {
  const checked = trials.flatMap(({ id, crossCheck }) => (crossCheck === undefined ? [] : [{ id, ...crossCheck }]))
  if (checked.length === 0) return undefined
  const sum = (what: 'compared' | 'disagreements') => checked.reduce((total, item) => total + item[what], 0)
  const where = checked.filter(({ disagreements }) => disagreements > 0).map(({ id }) => id)
  const list = where.length === 0 ? '' : ` (${where.join(', ')})`
  return (
    `cross-check of W1 and the engine: ${checked.length} trials, ${sum('compared')} entries compared, ` +
    `${sum('disagreements')} disagreements${list}`
  )
}
