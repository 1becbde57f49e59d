import type { Revision } from '@landfall/contracts'
import { nestedSkills } from './nesting.ts'
import type { ServedSkill } from './served.ts'

/**
 * What each revision can express of a set of skills (fact sheet, part C). One endpoint may serve both at once;
 * then a skill, a file or an archive is there when either revision has it, but each listing stays in its own.
 */
export const bothRevisions: readonly Revision[] = ['index', 'stable']

/** The skills that `revision` can carry: none nested in the index (iS4), none that is only an archive in stable (S23). */
export function skillsIn(revision: Revision, skills: readonly ServedSkill[]): ServedSkill[] {
  const inner = new Set([...nestedSkills(skills).values()].flat())
  return skills.filter((skill) => {
    if (skill.revisions !== undefined && !skill.revisions.includes(revision)) return false
    return revision === 'index' ? !inner.has(skill) : skill.files.length > 0
  })
}

/** The skills of which anything is to be served, with archives only where the index revision is among `revisions`. */
export function servedIn(revisions: readonly Revision[], skills: readonly ServedSkill[]): ServedSkill[] {
  const inIndex = new Set(revisions.includes('index') ? skillsIn('index', skills) : [])
  const inStable = new Set(revisions.includes('stable') ? skillsIn('stable', skills) : [])
  return skills
    .filter((skill) => inIndex.has(skill) || inStable.has(skill))
    .map((skill) => (inIndex.has(skill) || skill.archives.length === 0 ? skill : { ...skill, archives: [] }))
}
