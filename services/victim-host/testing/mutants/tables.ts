import { allRules } from '../../src/reference/all-rules.ts'
import { reasons } from './reasons.ts'
import { type CellResult, unseenRules } from './sweep.ts'

/** The two tables of a sweep, and whether anything in them has no explanation. */
export function renderTables(
  results: readonly CellResult[],
  complete: boolean,
): { readonly text: string; readonly unexplained: boolean } {
  const hostile = results.filter(({ noticed, fixture }) => noticed.length > 0 || fixture !== 'control-benign')
  const landedOnFull = results.filter(({ full }) => full.length > 0)
  const noSingle = hostile.filter(({ single, fixture }) => single.length === 0 && fixture !== 'control-benign')
  const never = noSingle.filter(({ together }) => together.length === 0)
  const unseen = complete ? unseenRules(results) : []
  const unexplained = unseen.filter(({ id }) => reasons[id] === undefined)
  const stale = complete ? Object.keys(reasons).filter((id) => !unseen.some((rule) => rule.id === id)) : []
  const lines = [
    `${results.length} cells (fixture and revision), ${allRules.length} rules.`,
    '',
    'Fixtures that land on the full reference host (must be none):',
    ...(landedOnFull.length === 0
      ? ['  none']
      : landedOnFull.map((cell) => `  ${name(cell)}: ${cell.full.join(', ')}`)),
    '',
    `1. Fixtures that no single-rule mutant lets land: ${noSingle.length}. Defence in depth, with a smallest set of rules`,
    '   that lets them land when all of it is off:',
    ...(noSingle.length === 0
      ? ['  none']
      : noSingle.map((cell) => `  ${name(cell)}: ${cell.together.join(' + ') || 'NO SET FOUND'}`)),
    '',
    `2. Rules whose removal nothing notices: ${unseen.length}.`,
    ...(unseen.length === 0 ? ['  none'] : unseen.map(({ id }) => `  ${id}: ${reasons[id] ?? 'NOT EXPLAINED'}`)),
    ...stale.map((id) => `  ${id} has a reason, but is noticed now: remove it from reasons.ts`),
  ]
  const bad = landedOnFull.length + never.length + unexplained.length + stale.length > 0
  return { text: `${lines.join('\n')}\n`, unexplained: bad }
}

const name = ({ fixture, revision }: CellResult) => `${fixture} (${revision})`
