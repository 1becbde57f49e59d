import type { Guard, Rule } from '../rule.ts'

/** What a skill may make the host do. */

export const approvedExecution: Rule = {
  id: 'H25',
  clauses: ['iH11'],
  says: 'Nothing of a skill runs, declared or asked for in its text, without approval of this skill.',
}

export const noGrants: Rule = {
  id: 'H27',
  clauses: ['iH13'],
  says: 'Fields that grant the skill tools are ignored unless the user approved the grant.',
}

export const tagged: Rule = {
  id: 'H24',
  clauses: ['iH10', 'H22', 'H23', 'H28', 'iH14', 'H20'],
  says: 'Text of a skill enters the context tagged with its origin, as data.',
}

/** @param approved the user has agreed that this skill runs things. */
export function mayRun(guard: Guard, frontmatter: unknown, command: string, approved: boolean): void {
  const granted = grants(frontmatter) && !guard.on(noGrants)
  guard.hold(approvedExecution, approved || granted, 'nobody has approved that this skill runs anything', { command })
}

const grants = (frontmatter: unknown): boolean =>
  typeof frontmatter === 'object' && frontmatter !== null && 'allowed-tools' in frontmatter

/** What of the frontmatter the host keeps: nothing that widens permissions or runs by itself. */
export function keptFields(guard: Guard, frontmatter: Record<string, unknown>): Record<string, unknown> {
  const { 'allowed-tools': _tools, hooks: _hooks, ...rest } = frontmatter
  return guard.on(noGrants) ? rest : frontmatter
}

export function tag(guard: Guard, server: string, uri: string, text: string): string {
  if (!guard.on(tagged)) return text
  return `<skill-content origin=${JSON.stringify(server)} uri=${JSON.stringify(uri)} trust="untrusted data">\n${text}\n</skill-content>`
}
