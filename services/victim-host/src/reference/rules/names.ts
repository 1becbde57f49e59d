import type { Guard, Rule } from '../rule.ts'

/** Names of skills. */

export const skillName: Rule = {
  id: 'S6',
  clauses: ['iS3'],
  says: 'A name has 1 to 64 of a-z, 0-9 and single hyphens, none at the ends; anything else is no name.',
}

export function checkName(guard: Guard, name: string): void {
  const kept = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= 64
  guard.hold(skillName, kept, `${JSON.stringify(name)} is not the name of a skill`, { name })
}
