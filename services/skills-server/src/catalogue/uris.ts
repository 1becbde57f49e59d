import type { ArchiveFormat } from '@landfall/contracts'
import type { ServedSkill } from './served.ts'

/** The URIs under which things are served (iS2, fact sheet A4). None of them ever leaves the server as a path. */
export const indexUri = 'skill://index.json'

/** The directory of a skill, without a closing slash. */
export function skillRoot(skill: ServedSkill): string {
  return `skill://${skill.path}`
}

export function archiveUri(skill: ServedSkill, format: ArchiveFormat): string {
  return `${skillRoot(skill)}.${format}`
}
