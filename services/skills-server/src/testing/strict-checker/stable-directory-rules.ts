import type { Rule } from './rule.ts'
import { when } from './rule.ts'
import { strayChildren } from './shared-rules.ts'
import { entriesOf, hasDirectories, statedIn } from './stable-entries.ts'
import type { StableSurvey } from './survey.ts'
import { directoriesAbove, isBelow, parentOf } from './uris.ts'

/** What `resources/directory/read` answers for the directories of the skills: S27, S29. */
export const stableDirectoryRules: readonly Rule<StableSurvey>[] = [
  {
    id: 'S27',
    broken: (survey) => {
      const answers = [...survey.directories.values()].flatMap((listing) => listing.answers)
      return [
        ...strayChildren(survey).map((uri) => `not a child: ${uri}`),
        ...expectedFiles(survey)
          .filter((uri) => !isListed(survey, uri))
          .map((uri) => `in no directory: ${uri}`),
        ...expectedDirectories(survey)
          .filter(({ uri, isRoot }) => !isRoot && !isListed(survey, uri, 'inode/directory'))
          .map(({ uri }) => `not listed as a directory: ${uri}`),
        ...answers.flatMap((answer) =>
          when('result' in answer && answer.result['resultType'] !== 'complete', 'without resultType'),
        ),
      ]
    },
  },
  {
    id: 'S29',
    broken: (survey) =>
      expectedDirectories(survey)
        .filter(({ uri }) => survey.directories.get(uri)?.answers.every((answer) => 'result' in answer) !== true)
        .map(({ uri }) => `cannot be read: ${uri}`),
  },
]

/** Files that are stated and inside their skill. */
function expectedFiles(survey: StableSurvey): string[] {
  return statedIn(entriesOf(survey).filter(hasDirectories))
    .filter(({ entry, item }) => isBelow(item.uri, entry.root))
    .map(({ item }) => item.uri)
}

function expectedDirectories(survey: StableSurvey): { readonly uri: string; readonly isRoot: boolean }[] {
  const entries = entriesOf(survey).filter(hasDirectories)
  const roots = new Set(entries.map(({ root }) => root))
  const below = statedIn(entries)
    .filter(({ entry, item }) => isBelow(item.uri, entry.root))
    .flatMap(({ entry, item }) => directoriesAbove(item.uri, entry.root))
  return [...new Set([...roots, ...below])].map((uri) => ({ uri, isRoot: roots.has(uri) }))
}

function isListed({ directories }: StableSurvey, uri: string, mimeType?: string): boolean {
  const children = directories.get(parentOf(uri))?.items ?? []
  return children.some((child) => child['uri'] === uri && (mimeType === undefined || child['mimeType'] === mimeType))
}
