import { isDeepStrictEqual } from 'node:util'
import { digestOf } from '../catalogue/digest.ts'
import { parseFrontmatter } from '../corpus/frontmatter.ts'
import type { Check } from './check.ts'
import { each, finding, refusals, repeated } from './check.ts'
import { directoryOf, walkDirectory } from './directories.ts'
import type { Unpacked } from './unpack.ts'
import { unpack } from './unpack.ts'
import type { Frontmatter, IndexEntry } from './wire.ts'
import { listResources, readBytes, readIndex } from './wire.ts'

/** The index revision: the index, and all that it names. */
export interface IndexState {
  entries: readonly IndexEntry[]
  /** Archives and SKILL.md files that were read, by URI. */
  readonly content: Map<string, Buffer>
}

export const indexChecks: readonly Check<IndexState>[] = [
  {
    what: 'skill://index.json',
    async look(session, state) {
      state.entries = await readIndex(session)
      const none = state.entries.length === 0 ? ['no skills are named'] : []
      const uris = state.entries.flatMap(({ url, archives = [] }) => [
        ...(url === undefined ? [] : [url]),
        ...archives.map((one) => one.url),
      ])
      return finding(`${state.entries.length} skills`, [
        ...none,
        ...repeated(uris),
        ...state.entries.flatMap(shapeProblems),
      ])
    },
  },
  {
    what: 'resources/list',
    async look(session, { entries }) {
      const listed = await listResources(session)
      const byUri = new Map(listed.map((item) => [item.uri, item]))
      const problems = entries.flatMap(({ url, frontmatter }) => {
        if (url === undefined) return []
        const item = byUri.get(url)
        if (item === undefined) return [`not among the resources: ${url}`]
        const fine = item.mimeType === 'text/markdown' && item.description === frontmatter.description
        return fine ? [] : [`media type or description differs: ${url}`]
      })
      return finding(`${listed.length} resources`, problems)
    },
  },
  {
    what: 'SKILL.md digests',
    look: async (session, { entries, content }) =>
      await each('files', direct(entries), async ({ url, digest }) => {
        const bytes = await readBytes(session, url)
        content.set(url, bytes)
        return digestOf(bytes) === digest ? [] : [`wrong digest: ${url}`]
      }),
  },
  {
    what: 'frontmatter',
    look: async (_session, { entries, content }) =>
      await each('skills', direct(entries), ({ url, frontmatter }) =>
        sameFrontmatter(url, content.get(url), frontmatter),
      ),
  },
  {
    what: 'archive digests',
    look: async (session, { entries, content }) =>
      await each('archives', archivesIn(entries), async ({ url, digest }) => {
        const bytes = await readBytes(session, url)
        content.set(url, bytes)
        return digestOf(bytes) === digest ? [] : [`wrong digest: ${url}`]
      }),
  },
  {
    what: 'archive contents',
    async look(session, { entries, content }) {
      return await each('archives', archivesIn(entries), async ({ url, mimeType, owner }) => {
        const bytes = content.get(url)
        if (bytes === undefined) return [`could not be read: ${url}`]
        const unpacked = await unpack(mimeType, bytes)
        const markdown = sameFrontmatter(url, unpacked.files.get('SKILL.md'), owner.frontmatter)
        const files = owner.url === undefined ? [] : await fileProblems(url, unpacked, directoryOf(owner.url), session)
        return [...markdown, ...nameProblems(url, unpacked), ...files]
      })
    },
  },
  {
    what: 'unknown URIs',
    look: async (session) =>
      await refusals(session, ['resources/read', 'resources/directory/read'], 'skill://landfall-no-such-skill/x'),
  },
]

type DirectEntry = IndexEntry & { readonly url: string }

function direct(entries: readonly IndexEntry[]): DirectEntry[] {
  return entries.flatMap((entry) => (entry.url === undefined ? [] : [{ ...entry, url: entry.url }]))
}

function archivesIn(entries: readonly IndexEntry[]) {
  return entries.flatMap((owner) => (owner.archives ?? []).map((archive) => ({ ...archive, owner })))
}

/** iS9, iS10. */
function shapeProblems({ url, digest, archives, frontmatter }: IndexEntry): string[] {
  const { name } = frontmatter
  return [
    ...(url === undefined && archives === undefined ? [`neither url nor archives: ${name}`] : []),
    ...((url === undefined) === (digest === undefined) ? [] : [`url without digest, or digest without url: ${name}`]),
    ...(url === undefined || url.endsWith(`/${name}/SKILL.md`) ? [] : [`the name is not in the url: ${url}`]),
  ]
}

function sameFrontmatter(uri: string, markdown: Buffer | undefined, frontmatter: Frontmatter): string[] {
  if (markdown === undefined) return [`no SKILL.md: ${uri}`]
  return isDeepStrictEqual(parseFrontmatter(markdown), frontmatter) ? [] : [`differs from SKILL.md: ${uri}`]
}

/** iS12: relative names with forward slashes. Devices and their like have no business in a skill. */
function nameProblems(uri: string, { files, links, others }: Unpacked): string[] {
  const bad = [...files.keys(), ...links].filter(
    (name) => name.startsWith('/') || name.includes('\\') || name.split('/').includes('..'),
  )
  return [...bad, ...others].map((name) => `bad entry ${name}: ${uri}`)
}

/** iS13: exactly the files that can be read by their own URIs. A link cannot be one of them. */
async function fileProblems(uri: string, { files }: Unpacked, root: string, session: Parameters<typeof readBytes>[0]) {
  const problems: string[] = []
  const left = new Set(files.keys())
  const walked = (await walkDirectory(session, root)).files.map((fileUri) => {
    return { fileUri, name: decodeURIComponent(fileUri.slice(root.length + 1)) }
  })
  // A skill inside this one is no part of it in this revision (iS4), although its files can be read.
  const nested = walked.flatMap(({ name }) => (name.endsWith('/SKILL.md') ? [name.slice(0, -'SKILL.md'.length)] : []))
  for (const { fileUri, name } of walked) {
    if (nested.some((folder) => name.startsWith(folder))) continue
    left.delete(name)
    const live = await readBytes(session, fileUri)
    if (files.get(name)?.equals(live) !== true) problems.push(`differs from ${fileUri}: ${uri}`)
  }
  return [...problems, ...[...left].map((name) => `only in the archive, ${name}: ${uri}`)]
}
