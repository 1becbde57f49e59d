import { z } from 'zod'
import { frontmatterIn } from './markdown.ts'
import type { ArchiveEntry, Fields, IndexSurvey } from './survey.ts'
import { firstContent } from './survey.ts'
import { isBelow, parentOf, schemeOf } from './uris.ts'

/** The entries of the index as rules look at them. */
export interface Entry {
  readonly url: string | undefined
  readonly digest: unknown
  readonly frontmatter: Fields
  readonly archives: readonly Archive[] | undefined
  /** Directory of the files that can be read one by one. */
  readonly root: string | undefined
  /** What each SKILL.md of the skill says, that at `url` and that of each archive; where one can be read. */
  readonly documents: readonly Fields[]
  /** The text of each of them. */
  readonly texts: readonly string[]
}

export interface Archive {
  readonly url: string
  readonly mimeType: unknown
  readonly digest: unknown
  /** `undefined` where it could not be opened. */
  readonly entries: readonly ArchiveEntry[] | undefined
}

const Raw = z.looseObject({
  url: z.string().optional(),
  frontmatter: z.record(z.string(), z.unknown()),
  archives: z.array(z.looseObject({ url: z.string() })).optional(),
})
export const IndexDocument = z.strictObject({ skills: z.array(Raw) })

export function entriesOf(survey: IndexSurvey): Entry[] {
  const { skills } = IndexDocument.safeParse(survey.index).data ?? { skills: [] }
  return skills.map(({ url, digest, frontmatter, archives }) => {
    const packed = archives?.map((archive) => ({
      url: archive.url,
      mimeType: archive['mimeType'],
      digest: archive['digest'],
      entries: survey.archives.get(archive.url),
    }))
    const live = url === undefined ? undefined : firstContent(survey, url)?.head
    const heads = [
      ...(live === undefined ? [] : [live]),
      ...(packed ?? []).flatMap(({ entries }) => markdownIn(entries)),
    ]
    return {
      url,
      digest,
      frontmatter,
      archives: packed,
      root: url === undefined || schemeOf(url) === 'file' ? undefined : parentOf(url),
      documents: heads.map(frontmatterIn).filter((document) => document !== undefined),
      texts: heads.map((head) => head.toString('utf8')),
    }
  })
}

function markdownIn(entries: readonly ArchiveEntry[] = []): Buffer[] {
  const markdown = entries.findLast(({ name, type }) => name === 'SKILL.md' && type === 'File')
  return markdown === undefined ? [] : [markdown.head]
}

/** Files of the skill that can be read one by one. */
export function liveFiles(survey: IndexSurvey, { root }: Entry): string[] {
  if (root === undefined) return []
  return [...survey.reads.keys()].filter((uri) => isBelow(uri, root) && firstContent(survey, uri) !== undefined)
}

export function archivesOf(survey: IndexSurvey): Archive[] {
  return entriesOf(survey).flatMap(({ archives = [] }) => archives)
}
