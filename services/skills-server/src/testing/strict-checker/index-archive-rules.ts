import { posix } from 'node:path'
import type { Archive, Entry } from './index-entries.ts'
import { archivesOf, entriesOf, liveFiles } from './index-entries.ts'
import { limits } from './limits.ts'
import type { Rule } from './rule.ts'
import { when } from './rule.ts'
import type { ArchiveEntry, IndexSurvey } from './survey.ts'
import { firstContent } from './survey.ts'
import { decoded, folded } from './uris.ts'

/** What is in the archives of the index revision: iS11 to iS14, and what a host must not unpack, iH4. */
const eachArchive =
  (look: (entries: readonly ArchiveEntry[], archive: Archive) => readonly string[]) =>
  (survey: IndexSurvey): string[] =>
    archivesOf(survey).flatMap((archive) => {
      const lines = archive.entries === undefined ? [] : look(archive.entries, archive)
      return lines.map((line) => `${line} in ${archive.url}`)
    })

export const archiveRules: readonly Rule<IndexSurvey>[] = [
  {
    id: 'iS11',
    broken: (survey) => {
      const known = ['application/gzip', 'application/zip']
      const foreign = archivesOf(survey).filter(({ mimeType }) => !known.includes(String(mimeType)))
      return foreign.map(({ url, mimeType }) => `${String(mimeType)}: ${url}`)
    },
  },
  {
    id: 'iS12',
    broken: eachArchive((entries) => [
      ...when(!entries.some(({ name }) => name === 'SKILL.md'), 'no SKILL.md at the root'),
      ...entries.filter(({ name }) => isHostilePath(name)).map(({ name }) => name),
    ]),
  },
  {
    id: 'iS13',
    broken: (survey) => entriesOf(survey).flatMap((entry) => differences(survey, entry).map(({ line }) => line)),
  },
  {
    id: 'iS14',
    broken: (survey) => {
      const names = entriesOf(survey)
        .filter(({ url }) => url === undefined)
        .map(({ frontmatter }) => frontmatter['name'])
      return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `skill://${String(name)}/`)
    },
  },
]

export const archiveHazards: readonly Rule<IndexSurvey>[] = [
  {
    id: 'iH4.1',
    broken: eachArchive((entries) => entries.filter(({ name }) => isHostilePath(name)).map(({ name }) => name)),
  },
  {
    id: 'iH4.2',
    broken: eachArchive((entries) => entries.filter(leadsOut).map(({ name, target }) => `${name} -> ${target}`)),
  },
  {
    id: 'iH4.3',
    broken: eachArchive((entries) =>
      entries.filter(({ type }) => !ordinary.has(type)).map(({ name, type }) => `${type} ${name}`),
    ),
  },
  {
    id: 'iH4.4',
    broken: eachArchive((entries) => {
      const names = entries.map(({ name }) => folded(name.replace(/\/$/, '')))
      return names.filter((name, index) => names.indexOf(name) !== index)
    }),
  },
  {
    id: 'iH4.5',
    broken: eachArchive((entries) => entries.filter(({ mode }) => (mode & 0o7000) !== 0).map(({ name }) => name)),
  },
  {
    id: 'iH4.6',
    broken: (survey) => {
      const sizes = archivesOf(survey).map(({ entries = [] }) => entries.reduce((sum, { size }) => sum + size, 0))
      const total = sizes.reduce((sum, size) => sum + size, 0)
      return [
        ...sizes.filter((size) => size > limits.bytesPerArchive).map((size) => `an archive of ${size} bytes`),
        ...when(total > limits.bytesPerServer, `archives of ${total} bytes`),
        ...eachArchive((entries) => when(entries.length > limits.entriesPerArchive, 'too many entries'))(survey),
        ...eachArchive((entries) =>
          when(
            entries.some(({ name }) => name.split('/').length > limits.depth),
            'too deep',
          ),
        )(survey),
      ]
    },
  },
  {
    id: 'iH9',
    broken: (survey) =>
      entriesOf(survey).flatMap((entry) =>
        differences(survey, entry)
          .filter(({ kind }) => kind === 'content')
          .map(({ line }) => line),
      ),
  },
]

const ordinary = new Set(['File', 'Directory', 'SymbolicLink', 'Link'])

/** iS12: relative, with forward slashes, without `..`; and nothing that Windows takes for a path of its own. */
function isHostilePath(name: string): boolean {
  const segments = name.split('/')
  return (
    name.startsWith('/') ||
    name.includes('\\') ||
    segments.includes('..') ||
    segments.some((each) => /^[a-z]:/i.test(each))
  )
}

/** A symbolic link leads from its own directory, a hard link from the root of the archive. */
function leadsOut({ name, type, target }: ArchiveEntry): boolean {
  if (target === undefined || (type !== 'SymbolicLink' && type !== 'Link')) return false
  const resolved = posix.normalize(type === 'Link' ? target : posix.join(posix.dirname(name), target))
  return target.startsWith('/') || resolved === '..' || resolved.startsWith('../')
}

interface Difference {
  /** `files`: one has it, the other has not. */
  readonly kind: 'files' | 'content'
  readonly line: string
}

/** Where the archives of a skill are not exactly its individually addressable files. A link cannot be one of them. */
function differences(survey: IndexSurvey, entry: Entry): Difference[] {
  const { root, archives = [] } = entry
  if (root === undefined) return []
  const live = new Map(liveFiles(survey, entry).map((uri) => [decoded(uri.slice(root.length + 1)), uri]))
  return archives.flatMap(({ url, entries }) => {
    if (entries === undefined) return []
    const packed = new Map(entries.filter(({ type }) => type === 'File').map((file) => [file.name, file.digest]))
    const names = new Set([...live.keys(), ...packed.keys()])
    return [...names].flatMap((name): Difference[] => {
      const uri = live.get(name)
      const digest = packed.get(name)
      if (uri === undefined || digest === undefined) return [{ kind: 'files', line: `${name} in one alone: ${url}` }]
      const same = firstContent(survey, uri)?.digest === digest
      return same ? [] : [{ kind: 'content', line: `${uri} differs: ${url}` }]
    })
  })
}
