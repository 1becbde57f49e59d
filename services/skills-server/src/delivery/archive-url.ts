import { archiveFormats, archiveMediaTypes } from '@landfall/contracts'
import type { ServedSkill } from '../catalogue/served.ts'
import { type Answer, missing, payload } from './answer.ts'
import { findSkill } from './find-skill.ts'

/** `<name>.<format>`: the archive of a skill, as the index revision has it. */
export function archiveAt(skills: readonly ServedSkill[], file: string | undefined): Answer {
  const format = archiveFormats.find((each) => file?.endsWith(`.${each}`))
  if (file === undefined || format === undefined) return missing
  const skill = findSkill(skills, file.slice(0, -format.length - 1))
  const archive = skill?.archives.find((each) => each.format === format)
  return archive === undefined ? missing : payload(archiveMediaTypes[format], archive.bytes)
}
