import { isDeepStrictEqual } from 'node:util'
import type { Entry } from './index-entries.ts'
import { entriesOf, IndexDocument, liveFiles } from './index-entries.ts'
import { isComplete } from './markdown.ts'
import type { Rule } from './rule.ts'
import { when } from './rule.ts'
import { strayChildren } from './shared-rules.ts'
import type { IndexSurvey } from './survey.ts'
import { contentsIn, firstContent } from './survey.ts'
import { directoriesAbove, isSkillName, isWellFormed, lastSegment, parentOf, schemeOf } from './uris.ts'

/** The index, what it says of each skill, and the files that can be read one by one: iS1 to iS10, iS15 to iS19. */
const each =
  (look: (entry: Entry, survey: IndexSurvey) => readonly string[]) =>
  (survey: IndexSurvey): string[] =>
    entriesOf(survey).flatMap((entry) => look(entry, survey))

const digestForm = /^sha256:[0-9a-f]{64}$/
const invalidParams = -32602

export const indexRules: readonly Rule<IndexSurvey>[] = [
  {
    id: 'iS1',
    broken: each(({ documents, texts, frontmatter }) =>
      when(documents.length !== texts.length || !documents.every(isComplete), `no frontmatter: ${nameOf(frontmatter)}`),
    ),
  },
  { id: 'iS2', broken: each(({ url }) => when(url?.startsWith('skill://') === false, `another scheme: ${url}`)) },
  { id: 'iS3', broken: each(nameFaults) },
  {
    id: 'iS4',
    broken: (survey) =>
      entriesOf(survey).flatMap((entry) => {
        const live = liveFiles(survey, entry).filter((uri) => uri !== entry.url && lastSegment(uri) === 'SKILL.md')
        return live.map((uri) => `a skill in a skill: ${uri}`)
      }),
  },
  {
    id: 'iS5',
    broken: each(({ url }) =>
      when(url !== undefined && schemeOf(url) === 'skill' && !isWellFormed(url), `not as RFC 3986 has it: ${url}`),
    ),
  },
  {
    id: 'iS6',
    broken: (survey) => {
      const indexed = new Set(entriesOf(survey).map(({ url }) => url))
      const uris = survey.resources.items.map(({ uri }) => String(uri))
      return uris
        .filter((uri) => schemeOf(uri) !== 'skill' && !indexed.has(uri))
        .map((uri) => `not in the index: ${uri}`)
    },
  },
  { id: 'iS7', broken: each(resourceFaults) },
  {
    id: 'iS8',
    broken: ({ index }) => when(!IndexDocument.safeParse(index).success, 'no index, or one of another shape'),
  },
  {
    id: 'iS9',
    broken: each(({ url, digest, archives, frontmatter }, survey) => {
      const served = url === undefined ? undefined : firstContent(survey, url)
      return [
        ...when(url === undefined && (archives ?? []).length === 0, `neither url nor archives: ${nameOf(frontmatter)}`),
        ...when((url === undefined) !== (digest === undefined), `url without digest: ${nameOf(frontmatter)}`),
        ...when(served !== undefined && served.digest !== digest, `another digest: ${url}`),
      ]
    }),
  },
  {
    id: 'iS10',
    broken: each(({ frontmatter, documents }) =>
      when(
        documents.some((document) => !isDeepStrictEqual(document, frontmatter)),
        `not that of SKILL.md: ${nameOf(frontmatter)}`,
      ),
    ),
  },
  {
    id: 'iS15',
    broken: each(({ digest, archives = [] }) => {
      const digests = [digest, ...archives.map((archive) => archive.digest)].filter((value) => value !== undefined)
      const bad = digests.filter((value) => typeof value !== 'string' || !digestForm.test(value))
      return bad.map((value) => `no digest: ${JSON.stringify(value)}`)
    }),
  },
  {
    id: 'iS16',
    broken: (survey) => {
      const expected = entriesOf(survey).flatMap((entry) => {
        const { root } = entry
        return root === undefined ? [] : liveFiles(survey, entry).flatMap((uri) => directoriesAbove(uri, root))
      })
      const answered = (uri: string) => survey.directories.get(uri)?.answers.every((answer) => 'result' in answer)
      return [
        ...[...new Set(expected)].filter((uri) => answered(uri) !== true).map((uri) => `cannot be read: ${uri}`),
        ...strayChildren(survey).map((uri) => `not a child: ${uri}`),
      ]
    },
  },
  {
    id: 'iS17',
    broken: ({ refusals }) =>
      refusals
        .filter(({ answer }) => !('error' in answer) || answer.error !== invalidParams)
        .map(({ method, why }) => `${method} of what is ${why}`),
  },
  {
    id: 'iS18',
    broken: each(({ frontmatter }) => when(frontmatter['name'] === 'index.json', 'a skill of the reserved name')),
  },
  {
    id: 'iS19',
    broken: each(({ url, archives = [] }, survey) => {
      const uris = [...(url === undefined ? [] : [url]), ...archives.map((archive) => archive.url)]
      return uris.filter((uri) => contentsIn(survey, uri).length === 0).map((uri) => `cannot be read: ${uri}`)
    }),
  },
]

/** The name obeys the rules, in the index and in SKILL.md, and is what the path of the skill ends in. */
function nameFaults({ url, archives = [], frontmatter, documents }: Entry): string[] {
  const name = frontmatter['name']
  const paths = [
    ...(url === undefined ? [] : [parentOf(url)]),
    ...archives.map((one) => one.url.replace(/\.(?:tar\.gz|zip)$/, '')),
  ]
  const names = [name, ...documents.map((document) => document['name'])]
  return [
    ...names.filter((each) => !isSkillName(each)).map((each) => `no name: ${String(each)}`),
    ...paths.filter((path) => lastSegment(path) !== name).map((path) => `does not end in the name: ${path}`),
  ]
}

function resourceFaults({ url }: Entry, survey: IndexSurvey): string[] {
  if (url === undefined) return []
  const item = survey.resources.items.find(({ uri }) => uri === url)
  const [document] = entriesOf(survey).flatMap((entry) => (entry.url === url ? entry.documents : []))
  if (item === undefined || document === undefined) return when(item === undefined, `no resource: ${url}`)
  const fits = item['name'] === document['name'] && item['description'] === document['description']
  return [...when(item['mimeType'] !== 'text/markdown', `not markdown: ${url}`), ...when(!fits, `not its name: ${url}`)]
}

function nameOf({ name }: Entry['frontmatter']): string {
  return String(name)
}
