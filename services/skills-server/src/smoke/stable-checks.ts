import { isDeepStrictEqual } from 'node:util'
import { parseAs } from '@landfall/contracts'
import { digestOf } from '../catalogue/digest.ts'
import { parseFrontmatter } from '../corpus/frontmatter.ts'
import type { Check } from './check.ts'
import { each, finding, refusals, repeated } from './check.ts'
import { directoryOf, walkDirectory } from './directories.ts'
import type { Session } from './session.ts'
import { refusal } from './session.ts'
import type { ManifestItem, SkillEntry } from './wire.ts'
import { Cached, Got, listResources, listSkills, readBytes } from './wire.ts'

/** The stable revision: every skill that is listed, read whole and held against what its entry states. */
export interface StableState {
  entries: readonly SkillEntry[]
  /** What was read, by URI. */
  readonly content: Map<string, Buffer>
}

export const stableChecks: readonly Check<StableState>[] = [
  {
    what: 'skills/list',
    async look(session, state) {
      state.entries = await listSkills(session)
      const first = await session.request('skills/list')
      const none = state.entries.length === 0 ? ['no skills are listed'] : []
      const twice = repeated(state.entries.map(({ uri }) => uri))
      return finding(`${state.entries.length} skills`, [...none, ...twice, ...uncached(session.era, first)])
    },
  },
  {
    what: 'skills/get',
    async look(session, state) {
      const listed = state.entries
      const found = await each('skills', listed, async (entry) => {
        const { skill, cached } = await getSkill(session, entry.uri)
        return isDeepStrictEqual(skill, entry) ? cached : [`differs from the list: ${entry.uri}`, ...cached]
      })
      const unlisted = await unlistedSkills(session, listed)
      state.entries = [...listed, ...unlisted]
      return { ...found, detail: `${state.entries.length} skills, ${unlisted.length} of them not listed` }
    },
  },
  {
    what: 'manifests',
    look: (_session, { entries }) => each('skills', entries, manifestProblems),
  },
  {
    what: 'read',
    async look(session, { entries, content }) {
      return await each('files', items(entries), async ({ uri }) => {
        content.set(uri, await readBytes(session, uri))
        return []
      })
    },
  },
  {
    what: 'digests',
    look: (_session, { entries, content }) =>
      each('files', items(entries), ({ uri, digest }) =>
        held(content, uri, (bytes) => (digestOf(bytes) === digest ? [] : [`wrong digest: ${uri}`])),
      ),
  },
  {
    what: 'sizes',
    look: (_session, { entries, content }) =>
      each('files', items(entries), ({ uri, size }) =>
        held(content, uri, (bytes) => (bytes.length === size ? [] : [`${bytes.length} bytes, not ${size}: ${uri}`])),
      ),
  },
  {
    what: 'frontmatter',
    look: (_session, { entries, content }) =>
      each('skills', entries, ({ uri, frontmatter }) =>
        held(content, uri, (bytes) =>
          isDeepStrictEqual(parseFrontmatter(bytes), frontmatter) ? [] : [`differs from SKILL.md: ${uri}`],
        ),
      ),
  },
  {
    what: 'directories',
    async look(session, { entries }) {
      return await each('skills', entries, async (entry) => {
        const found = new Set((await walkDirectory(session, directoryOf(entry.uri))).files)
        const stated = new Set(items([entry]).map(({ uri }) => uri))
        const missing = [...stated].filter((uri) => !found.delete(uri)).map((uri) => `in no directory: ${uri}`)
        return [...missing, ...[...found].map((uri) => `in a directory, not in the entry: ${uri}`)]
      })
    },
  },
  {
    what: 'unknown URIs',
    look: async (session) =>
      await refusals(session, ['skills/get', 'resources/directory/read'], 'skill://landfall-no-such-skill/SKILL.md'),
  },
]

async function getSkill(session: Session, uri: string) {
  const answer = await session.request('skills/get', { uri })
  return { skill: parseAs(Got, answer, `skills/get of ${uri}`).skill, cached: uncached(session.era, answer) }
}

/** S23: skills that are served and that no listing names. Not every SKILL.md among the resources is one. */
async function unlistedSkills(session: Session, listed: readonly SkillEntry[]): Promise<SkillEntry[]> {
  const known = new Set(listed.map(({ uri }) => uri))
  const found: SkillEntry[] = []
  for (const { uri } of await listResources(session)) {
    if (!uri.endsWith('/SKILL.md') || known.has(uri)) continue
    if ((await refusal(session, 'skills/get', uri)) === undefined) found.push((await getSkill(session, uri)).skill)
  }
  return found
}

function items(entries: readonly SkillEntry[]): ManifestItem[] {
  return entries.flatMap(({ resources }) => (resources === 'dynamic' ? [] : resources))
}

/** S13, S14 and the limits of B2. */
function manifestProblems({ uri, resources }: SkillEntry): string[] {
  if (resources === 'dynamic') return [`cannot be verified, "dynamic": ${uri}`]
  const uris = resources.map((item) => item.uri)
  const root = `${directoryOf(uri)}/`
  const size = resources.reduce((sum, item) => sum + item.size, 0)
  return [
    ...(uris.includes(uri) ? [] : [`SKILL.md is not stated: ${uri}`]),
    ...repeated(uris),
    ...uris.filter((each) => !each.startsWith(root)).map((each) => `outside of the skill: ${each}`),
    ...(uris.length > maxFiles ? [`${uris.length} files: ${uri}`] : []),
    ...(size > maxBytes ? [`${size} bytes: ${uri}`] : []),
  ]
}

const maxFiles = 512
const maxBytes = 16 * 1024 * 1024

/** S21, S25: only the modern era has these fields. */
function uncached(era: string, answer: unknown): string[] {
  return era === 'legacy' || Cached.safeParse(answer).success ? [] : ['ttlMs or cacheScope is missing']
}

function held(content: ReadonlyMap<string, Buffer>, uri: string, look: (bytes: Buffer) => string[]): string[] {
  const bytes = content.get(uri)
  return bytes === undefined ? [`could not be read: ${uri}`] : look(bytes)
}
