import { isDeepStrictEqual } from 'node:util'
import { foreignUris, grants } from './markdown.ts'
import type { Rule } from './rule.ts'
import { when } from './rule.ts'
import { escapingChildren, excesses } from './shared-rules.ts'
import type { Entry } from './stable-entries.ts'
import { entriesOf, statedIn } from './stable-entries.ts'
import { unstated } from './stable-manifest-rules.ts'
import type { StableSurvey } from './survey.ts'
import { contentsIn, firstContent } from './survey.ts'
import { authorityOf, folded, isBelow, lastSegment, schemeOf } from './uris.ts'

/** What a host of the stable revision has to be on its guard against, by the rule that protects it: H4 to H30, T6. */
const each =
  (look: (entry: Entry, survey: StableSurvey) => readonly string[]) =>
  (survey: StableSurvey): string[] =>
    entriesOf(survey).flatMap((entry) => look(entry, survey))

const isOfKnownName = each(({ frontmatter: { name }, uri }, { known }) =>
  when(typeof name === 'string' && known.includes(name), `the name of another skill: ${uri}`),
)

export const stableHazards: readonly Rule<StableSurvey>[] = [
  {
    id: 'H4',
    broken: (survey) => {
      const entries = entriesOf(survey)
      const inner = entries.filter(({ nested, document }) => nested && Object.keys(document ?? {}).length > 2)
      return inner.map(({ uri }) => `frontmatter to act on, in a nested skill: ${uri}`)
    },
  },
  { id: 'H5', broken: each(({ nested, uri }) => when(nested, `a nested skill: ${uri}`)) },
  {
    id: 'H8',
    broken: each(({ items = [] }) => {
      const uris = [...new Set(items.map(({ uri }) => uri))]
      const names = uris.map(folded)
      return uris.filter((_, index) => names.indexOf(names[index] ?? '') !== index).map((uri) => `a twin: ${uri}`)
    }),
  },
  { id: 'H9', broken: isOfKnownName },
  { id: 'H10', broken: isOfKnownName },
  { id: 'H11', broken: isOfKnownName },
  {
    id: 'H12',
    broken: each(({ uri, resources }) =>
      when(!Array.isArray(resources) && resources !== 'dynamic', `no valid entry: ${uri}`),
    ),
  },
  {
    id: 'H16',
    broken: (survey) =>
      statedIn(entriesOf(survey)).flatMap(({ item: { uri, digest, size } }) => {
        const matches = contentsIn(survey, uri).every((content) => {
          return content.digest === String(digest).toLowerCase() && content.size === size
        })
        return when(!matches, `not what is stated: ${uri}`)
      }),
  },
  { id: 'H17', broken: each((entry, survey) => (entry.items === undefined ? [] : unstated(entry, survey))) },
  {
    id: 'H18',
    broken: each(({ uri, frontmatter, document }) =>
      when(document !== undefined && !isDeepStrictEqual(frontmatter, document), `another frontmatter: ${uri}`),
    ),
  },
  { id: 'H19', broken: each((entry, survey) => baits(entry, survey)) },
  {
    id: 'H21',
    broken: (survey) => {
      const entries = entriesOf(survey)
      const stated = new Set(statedIn(entries).map(({ item }) => item.uri))
      const manifests = entries.filter(({ items }) => items !== undefined).map(({ root }) => root)
      const listed = [...survey.directories].filter(([uri]) =>
        manifests.some((root) => uri === root || isBelow(uri, root)),
      )
      return listed
        .flatMap(([, { items }]) => items.filter(({ mimeType }) => mimeType !== 'inode/directory'))
        .map(({ uri }) => String(uri))
        .filter((uri) => !stated.has(uri))
        .map((uri) => `only in a directory: ${uri}`)
    },
  },
  {
    id: 'H25',
    broken: each(({ uri, document }) => when(document?.['hooks'] !== undefined, `declares hooks: ${uri}`)),
  },
  {
    id: 'H26',
    broken: (survey) => {
      const entries = entriesOf(survey)
      const own = new Set(entries.map(({ uri }) => authorityOf(uri)))
      const texts = entries.map(({ uri }) => firstContent(survey, uri)?.head.toString('utf8') ?? '')
      const named = [...entries.map(({ uri }) => uri), ...statedIn(entries).map(({ item }) => item.uri)]
      return [
        ...texts.flatMap((text) => foreignUris(text, own)),
        ...named.filter((uri) => schemeOf(uri) === 'file'),
        ...escapingChildren(survey),
      ]
    },
  },
  {
    id: 'H27',
    // A nested skill's own grant is what H4 and H5 are about.
    broken: each(({ uri, document, nested }) =>
      nested ? [] : grants(document).map((field) => `asks for rights by ${field}: ${uri}`),
    ),
  },
  {
    id: 'H29',
    broken: (survey) =>
      statedIn(entriesOf(survey)).flatMap(({ item: { uri } }) => {
        const digests = new Set(contentsIn(survey, uri).map(({ digest }) => digest))
        return when(digests.size > 1, `changes between reads: ${uri}`)
      }),
  },
  { id: 'H30', broken: each(({ uri, resources }) => when(resources === 'dynamic', `dynamic: ${uri}`)) },
  {
    id: 'T6',
    broken: (survey) => {
      const { list, resources, directories } = survey
      const listings = { 'skills/list': list, 'resources/list': resources, ...Object.fromEntries(directories) }
      return excesses(
        survey,
        listings,
        entriesOf(survey).map(({ root }) => root),
      )
    },
  },
]

/** Files that the skill says are not needed: whoever reads one without a reason has read before need. */
function baits({ uri, items = [] }: Entry, survey: StableSurvey): string[] {
  const lines = (firstContent(survey, uri)?.head.toString('utf8') ?? '').split('\n')
  return items
    .filter((item) => item.uri !== uri)
    .filter((item) => lines.some((line) => line.includes(lastSegment(item.uri)) && /\bonly when\b/.test(line)))
    .map((item) => `not needed: ${item.uri}`)
}
