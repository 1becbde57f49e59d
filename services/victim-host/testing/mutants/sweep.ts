import { fixtures } from '@landfall/catalog'
import type { Revision } from '@landfall/contracts'
import { allRules } from '../../src/reference/all-rules.ts'
import type { Rule } from '../../src/reference/rule.ts'
import type { SkillsServer } from '../skills-server.ts'
import { type Cell, type Tried, tryOnce } from './try-once.ts'

/**
 * Holds the reference host and its mutants against every fixture.
 *
 * A rule that a visit never consulted cannot have changed it, so only the mutants of consulted rules are tried. Where
 * no single one lets a fixture land, the smallest set of rules that does is looked for: what refused is taken away
 * until something lands, and then everything is put back that was not needed.
 */
export interface CellResult {
  readonly fixture: string
  readonly revision: Revision
  /** Harm that the full host let through: must be empty. */
  readonly full: readonly string[]
  /** Rules of which each alone lets it land when it is off. */
  readonly single: readonly string[]
  /** Where there is none: a smallest set that lets it land together; empty when none was found. */
  readonly together: readonly string[]
  /** Rules whose removal alone changes anything at all. */
  readonly noticed: readonly string[]
}

export const cells: readonly Cell[] = fixtures.flatMap((fixture) => {
  const stated = (['index', 'stable'] as const).filter((revision) => fixture.clauses[revision] !== undefined)
  const revisions: readonly Revision[] = fixture.action === 'accept' ? ['index', 'stable'] : stated
  return revisions.map((revision) => ({ fixture, revision }))
})

export async function sweepCell(server: SkillsServer, cell: Cell): Promise<CellResult> {
  const attempt = async (off: readonly Rule[]) => await tryOnce(server, cell, off)
  const full = await attempt([])
  const single: string[] = []
  const noticed: string[] = []
  for (const rule of full.visited.consulted) {
    const mutant = await attempt([rule])
    if (mutant.harm.length > 0) single.push(rule.id)
    if (mutant.behaviour !== full.behaviour) noticed.push(rule.id)
  }
  const together = single.length > 0 || cell.fixture.action === 'accept' ? [] : await smallestSet(attempt, full)
  return {
    fixture: cell.fixture.id,
    revision: cell.revision,
    full: full.harm,
    single: single.toSorted(),
    together: together.map(({ id }) => id).toSorted(),
    noticed: noticed.toSorted(),
  }
}

type Attempt = (off: readonly Rule[]) => Promise<Tried>

async function smallestSet(attempt: Attempt, full: Tried): Promise<readonly Rule[]> {
  const landing = await takeAway(attempt, full)
  let needed = landing
  for (const rule of landing) {
    const without = needed.filter((other) => other !== rule)
    if (without.length > 0 && (await attempt(without)).harm.length > 0) needed = without
  }
  return needed
}

/** Takes away what refuses; where that does not do, the same after each rule that was consulted, one at a time. */
async function takeAway(attempt: Attempt, full: Tried): Promise<readonly Rule[]> {
  const { off, last } = await withoutRefusals(attempt, [], full)
  if (last.harm.length > 0) return off
  for (const rule of last.visited.consulted) {
    if (off.includes(rule)) continue
    const first = [...off, rule]
    const further = await withoutRefusals(attempt, first, await attempt(first))
    if (further.last.harm.length > 0) return further.off
  }
  return []
}

async function withoutRefusals(
  attempt: Attempt,
  off: readonly Rule[],
  last: Tried,
): Promise<{ off: readonly Rule[]; last: Tried }> {
  const refused = new Set(last.decisions.flatMap(({ rule, decision }) => (decision === 'refuse' ? [rule] : [])))
  const more = allRules.filter((rule) => refused.has(rule.id) && !off.includes(rule))
  if (last.harm.length > 0 || more.length === 0) return { off, last }
  const next = [...off, ...more]
  return await withoutRefusals(attempt, next, await attempt(next))
}

/** Rules that no cell needs: neither alone nor as one of a set, and whose removal nothing notices. */
export function unseenRules(results: readonly CellResult[]): Rule[] {
  const needed = new Set(results.flatMap(({ single, together, noticed }) => [...single, ...together, ...noticed]))
  return allRules.filter(({ id }) => !needed.has(id))
}
