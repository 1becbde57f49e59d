import { archiveMediaTypes } from '@landfall/contracts'
import { sha256 } from './digest.ts'
import type { ServedSkill } from './served.ts'
import { archiveUri, skillRoot } from './uris.ts'

/** The document at `skill://index.json` (fact sheet A1, iS8, iS9), as bytes: JSON with an indent of two and a final newline, skills in the order given. */
export function indexDocument(skills: readonly ServedSkill[]): Buffer {
  return Buffer.from(`${JSON.stringify({ skills: skills.map(indexEntry) }, null, 2)}\n`, 'utf8')
}

/** One entry: `url` and `digest` only where SKILL.md has a URI of its own, `archives` only where there is one. */
function indexEntry(skill: ServedSkill): Record<string, unknown> {
  const markdown = skill.files.find((file) => file.path === 'SKILL.md')
  const direct =
    markdown === undefined ? {} : { url: `${skillRoot(skill)}/SKILL.md`, digest: `sha256:${sha256(markdown.bytes)}` }
  const archives = skill.archives.map(({ format, bytes }) => ({
    url: archiveUri(skill, format),
    mimeType: archiveMediaTypes[format],
    digest: `sha256:${sha256(bytes)}`,
  }))
  return { ...direct, frontmatter: skill.frontmatter, ...(archives.length > 0 ? { archives } : {}) }
}
