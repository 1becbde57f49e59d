import { isDeepStrictEqual } from 'node:util'
import type { Entry } from './index-entries.ts'
import { entriesOf, liveFiles } from './index-entries.ts'
import { foreignUris, grants } from './markdown.ts'
import type { Rule } from './rule.ts'
import { when } from './rule.ts'
import { escapingChildren, excesses } from './shared-rules.ts'
import type { IndexSurvey } from './survey.ts'
import { contentsIn } from './survey.ts'
import { authorityOf, decoded, schemeOf } from './uris.ts'

/** What a host of the index revision has to be on its guard against outside of archives: iH7 to iH15, T6. */
const each =
  (look: (entry: Entry, survey: IndexSurvey) => readonly string[]) =>
  (survey: IndexSurvey): string[] =>
    entriesOf(survey).flatMap((entry) => look(entry, survey))

export const indexHazards: readonly Rule<IndexSurvey>[] = [
  {
    id: 'iH7',
    broken: each((entry, survey) => [
      ...pinned(entry)
        .filter(({ uri, digest }) => contentsIn(survey, uri).some((content) => content.digest !== digest))
        .map(({ uri }) => `not what is stated: ${uri}`),
      ...unpinnedPrograms(entry, survey).map((uri) => `nothing vouches for it: ${uri}`),
    ]),
  },
  {
    id: 'iH8',
    broken: each(({ frontmatter, documents }) =>
      when(
        documents.some((document) => !isDeepStrictEqual(document, frontmatter)),
        `another frontmatter: ${String(frontmatter['name'])}`,
      ),
    ),
  },
  {
    id: 'iH11',
    broken: each(({ documents, frontmatter }) =>
      when(
        documents.some((document) => document['hooks'] !== undefined),
        `declares hooks: ${String(frontmatter['name'])}`,
      ),
    ),
  },
  {
    id: 'iH12',
    broken: (survey) => {
      const entries = entriesOf(survey)
      const urls = entries.flatMap(({ url, archives = [] }) => [
        ...(url === undefined ? [] : [url]),
        ...archives.map((archive) => archive.url),
      ])
      const own = new Set(urls.map(authorityOf))
      return [
        ...entries.flatMap(({ texts }) => texts.flatMap((text) => foreignUris(text, own))),
        ...urls.filter((url) => schemeOf(url) === 'file'),
        ...escapingChildren(survey),
      ]
    },
  },
  {
    id: 'iH13',
    broken: each(({ documents }) => documents.flatMap(grants).map((field) => `asks for rights by ${field}`)),
  },
  {
    id: 'iH15',
    broken: each((entry, survey) =>
      pinned(entry)
        .filter(({ uri }) => new Set(contentsIn(survey, uri).map(({ digest }) => digest)).size > 1)
        .map(({ uri }) => `changes between reads: ${uri}`),
    ),
  },
  {
    id: 'T6',
    broken: (survey) => {
      const { resources, directories } = survey
      const listings = { 'resources/list': resources, ...Object.fromEntries(directories) }
      const roots = entriesOf(survey).flatMap(({ root }) => root ?? [])
      return excesses(survey, listings, roots)
    },
  },
]

/** What the index states a digest for. */
function pinned({ url, digest, archives = [] }: Entry): { readonly uri: string; readonly digest: unknown }[] {
  return [
    ...(url === undefined ? [] : [{ uri: url, digest }]),
    ...archives.map((archive) => ({ uri: archive.url, digest: archive.digest })),
  ]
}

const program = /\.(?:sh|py|js|ts|rb|pl|ps1)$/

/** Programs that SKILL.md names, of a skill without an archive that would vouch for them. Data may go unpinned. */
function unpinnedPrograms(entry: Entry, survey: IndexSurvey): string[] {
  const { root, archives = [], texts } = entry
  if (root === undefined || archives.length > 0) return []
  return liveFiles(survey, entry).filter((uri) => {
    const path = decoded(uri.slice(root.length + 1))
    return program.test(path) && texts.some((text) => text.includes(path))
  })
}
