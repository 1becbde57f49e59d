import { limits } from './limits.ts'
import type { Rule } from './rule.ts'
import { when } from './rule.ts'
import type { Entry } from './stable-entries.ts'
import { entriesOf, servedFiles, statedIn } from './stable-entries.ts'
import type { StableSurvey } from './survey.ts'
import { contentsIn, firstContent } from './survey.ts'
import { isBelow } from './uris.ts'

/** What an entry states of the files of its skill: S12 to S19, S26, S33. S18 cannot be seen from outside. */
const each =
  (look: (entry: Entry, survey: StableSurvey, all: readonly Entry[]) => readonly string[]) =>
  (survey: StableSurvey): string[] => {
    const entries = entriesOf(survey)
    return entries.flatMap((entry) => look(entry, survey, entries))
  }

const digestForm = /^sha256:[0-9a-f]{64}$/

export const stableManifestRules: readonly Rule<StableSurvey>[] = [
  {
    id: 'S12',
    broken: each(({ uri, resources }) =>
      when(!Array.isArray(resources) && resources !== 'dynamic', `no resources: ${uri}`),
    ),
  },
  {
    id: 'S13',
    broken: each((entry, survey) => {
      if (entry.items === undefined) return []
      const stated = entry.items.map(({ uri }) => uri)
      return [
        ...when(!stated.includes(entry.uri), `does not state itself: ${entry.uri}`),
        ...stated.filter((uri, index) => stated.indexOf(uri) !== index).map((uri) => `stated twice: ${uri}`),
        ...unstated(entry, survey),
      ]
    }),
  },
  {
    id: 'S14',
    broken: each(({ items = [], uri: own, root }) =>
      items.filter(({ uri }) => uri !== own && !isBelow(uri, root)).map(({ uri }) => `outside of ${root}: ${uri}`),
    ),
  },
  {
    id: 'S15',
    broken: each(({ items = [] }, survey) =>
      items
        .filter(({ uri, size }) => {
          const served = firstContent(survey, uri)
          return !isSize(size) || (served !== undefined && served.size !== size)
        })
        .map(({ uri, size }) => `size ${String(size)}: ${uri}`),
    ),
  },
  {
    id: 'S16',
    broken: each(({ items = [] }, survey) =>
      items
        .filter(({ uri, digest }) => {
          if (typeof digest !== 'string' || !digestForm.test(digest)) return true
          const served = firstContent(survey, uri)
          return served !== undefined && served.digest !== digest
        })
        .map(({ uri, digest }) => `digest ${String(digest)}: ${uri}`),
    ),
  },
  {
    id: 'S17',
    broken: each((outer, _survey, all) => {
      if (outer.items === undefined) return []
      const stated = new Set(outer.items.map(({ uri }) => uri))
      const inner = all.filter(({ uri, root }) => root !== outer.root && isBelow(uri, outer.root))
      return statedIn(inner)
        .filter(({ item }) => !stated.has(item.uri))
        .map(({ item }) => `only in the nested entry: ${item.uri}`)
    }),
  },
  {
    id: 'S19',
    broken: each(({ uri, items = [] }) => {
      const bytes = items.reduce((sum, { size }) => sum + (isSize(size) ? size : 0), 0)
      return [
        ...when(items.length > limits.filesPerSkill, `${items.length} files: ${uri}`),
        ...when(bytes > limits.bytesPerSkill, `${bytes} bytes: ${uri}`),
      ]
    }),
  },
  {
    id: 'S26',
    broken: each(({ items = [] }, survey) =>
      items.filter(({ uri }) => contentsIn(survey, uri).length === 0).map(({ uri }) => `cannot be read: ${uri}`),
    ),
  },
  {
    id: 'S33',
    broken: each(({ root, items = [] }) =>
      items.filter(({ uri }) => [`${root}.tar.gz`, `${root}.zip`].includes(uri)).map(({ uri }) => `packed: ${uri}`),
    ),
  },
]

/** Files of the skill that can be read and that its manifest does not state. */
export function unstated(entry: Entry, survey: StableSurvey): string[] {
  const stated = new Set((entry.items ?? []).map(({ uri }) => uri))
  return servedFiles(survey, entry)
    .filter((uri) => !stated.has(uri))
    .map((uri) => `served, not stated: ${uri}`)
}

function isSize(size: unknown): size is number {
  return Number.isSafeInteger(size) && Number(size) >= 0
}
