import { skillMarkdown } from './limits.ts'
import { refusal, refusals } from './refusals.ts'

/** SKILL.md at the root is text, whatever its frontmatter says. @throws LandfallError `skill-md-encoding`. */
export function checkSkillMarkdown(bytes: Uint8Array): void {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw refusal(refusals.skillMarkdownEncoding, 'SKILL.md is not UTF-8', { path: skillMarkdown }, { cause })
  }
}
