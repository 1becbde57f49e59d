import { isDeepStrictEqual } from 'node:util'
import { isComplete } from './markdown.ts'
import type { Rule } from './rule.ts'
import { when } from './rule.ts'
import type { StableSurvey } from './survey.ts'
import { firstContent } from './survey.ts'
import type { Entry } from './stable-entries.ts'
import { entriesOf } from './stable-entries.ts'
import { isSkillName, isWellFormed, schemeOf } from './uris.ts'

/** What one entry says of its skill: S4 to S11, S31. */
const each =
  (look: (entry: Entry, survey: StableSurvey) => readonly string[]) =>
  (survey: StableSurvey): string[] =>
    entriesOf(survey).flatMap((entry) => look(entry, survey))

const metaPrefix = 'io.modelcontextprotocol.skills/'

export const stableEntryRules: readonly Rule<StableSurvey>[] = [
  {
    id: 'S4',
    broken: each(({ uri, document }, survey) =>
      when(firstContent(survey, uri) !== undefined && !isComplete(document), `no complete frontmatter: ${uri}`),
    ),
  },
  { id: 'S5', broken: each(({ uri }) => when(!uri.startsWith('skill://'), `another scheme: ${uri}`)) },
  {
    id: 'S6',
    broken: each(({ uri, frontmatter: { name } }) =>
      when(!isSkillName(name) || !uri.endsWith(`/${name}/SKILL.md`), `does not end in its name: ${uri}`),
    ),
  },
  {
    id: 'S7',
    broken: each(({ uri }) => when(schemeOf(uri) === 'skill' && !isWellFormed(uri), `not as RFC 3986 has it: ${uri}`)),
  },
  { id: 'S8', broken: each((entry, survey) => resourceFaults(entry, survey)) },
  {
    id: 'S9',
    broken: each(({ uri, frontmatter, document }) =>
      when(document !== undefined && !isDeepStrictEqual(frontmatter, document), `not that of SKILL.md: ${uri}`),
    ),
  },
  {
    id: 'S10',
    broken: each(({ uri, frontmatter: { metadata } }) =>
      when(
        Object.keys(metadata ?? {}).some((key) => key.startsWith('io.modelcontextprotocol/')),
        `a reserved key: ${uri}`,
      ),
    ),
  },
  {
    id: 'S11',
    broken: ({ list }) => {
      const names = list.items.map(({ frontmatter }) => nameIn(frontmatter))
      return names.filter((name, index) => name !== undefined && names.indexOf(name) !== index).map(String)
    },
  },
  {
    id: 'S31',
    broken: each(({ uri, raw }) =>
      Object.keys(raw)
        .filter((key) => !['uri', 'frontmatter', 'resources'].includes(key))
        .map((key) => `an entry with ${key}: ${uri}`),
    ),
  },
]

function resourceFaults({ uri, document }: Entry, { resources }: StableSurvey): string[] {
  const item = resources.items.find((resource) => resource['uri'] === uri)
  if (item === undefined || document === undefined) return when(item === undefined, `no resource: ${uri}`)
  const { mimeType, name, description, _meta } = item
  return [
    ...when(mimeType !== 'text/markdown', `not markdown: ${uri}`),
    ...when(name !== document['name'] || description !== document['description'], `not its name: ${uri}`),
    ...when(!Object.keys(_meta ?? {}).every((key) => key.startsWith(metaPrefix)), `another prefix: ${uri}`),
  ]
}

function nameIn(frontmatter: unknown): unknown {
  return typeof frontmatter === 'object' && frontmatter !== null && 'name' in frontmatter ? frontmatter.name : undefined
}
