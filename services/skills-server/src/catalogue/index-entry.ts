import { archiveMediaTypes } from '@landfall/contracts'
import { digestOf } from './digest.ts'
import type { Frontmatter, ServedSkill } from './served.ts'
import { archiveUri, fileUri, markdownPath } from './uris.ts'

/** One entry of the document at `skill://index.json` (fact sheet A1). */
export interface IndexEntry {
  readonly url?: string
  readonly digest?: string
  readonly frontmatter: Frontmatter
  readonly archives?: readonly IndexArchive[]
}

export interface IndexArchive {
  readonly url: string
  readonly mimeType: string
  readonly digest: string
}

/** The honest entry: `url` and `digest` only where SKILL.md has a URI of its own, `archives` only where there is one (iS9). */
export function honestIndexEntry(skill: ServedSkill): IndexEntry {
  const markdown = skill.files.find(({ path }) => path === markdownPath)
  const direct = markdown === undefined ? {} : { url: fileUri(skill, markdown), digest: digestOf(markdown.bytes) }
  const archives = skill.archives.map(({ format, bytes }) => ({
    url: archiveUri(skill, format),
    mimeType: archiveMediaTypes[format],
    digest: digestOf(bytes),
  }))
  return { ...direct, frontmatter: skill.frontmatter, ...(archives.length > 0 ? { archives } : {}) }
}

/** The entries that the index tells, honest or not, in the order of `skills` (iS10). */
export function indexEntries(skills: readonly ServedSkill[]): unknown[] {
  return skills
    .filter(({ lie }) => lie?.index?.unlisted !== true)
    .map((skill) => {
      const honest = honestIndexEntry(skill)
      return skill.lie?.index?.entry?.(honest) ?? honest
    })
}
