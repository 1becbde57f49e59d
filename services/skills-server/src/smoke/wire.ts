import { Digest, parseAs } from '@landfall/contracts'
import { z } from 'zod'
import type { Session } from './session.ts'

/** What the two revisions put on the wire (fact sheet A1, B1), as a strict client takes it. */
const Frontmatter = z.looseObject({ name: z.string(), description: z.string() })
export type Frontmatter = z.infer<typeof Frontmatter>

const ManifestItem = z.object({ uri: z.string(), digest: Digest, size: z.int().nonnegative() })
export type ManifestItem = z.infer<typeof ManifestItem>

/** H12: anything but an array or `dynamic` is no entry. */
const SkillEntry = z.object({
  uri: z.string().endsWith('/SKILL.md'),
  frontmatter: Frontmatter,
  resources: z.union([z.array(ManifestItem), z.literal('dynamic')]),
})
export type SkillEntry = z.infer<typeof SkillEntry>

export const Cached = z.object({ ttlMs: z.int().nonnegative(), cacheScope: z.enum(['public', 'private']) })
const SkillsPage = z.looseObject({ skills: z.array(SkillEntry), nextCursor: z.string().optional() })
export const Got = z.looseObject({ skill: SkillEntry })

const IndexEntry = z.object({
  frontmatter: Frontmatter,
  url: z.string().optional(),
  digest: Digest.optional(),
  archives: z
    .array(z.object({ url: z.string(), mimeType: z.enum(['application/gzip', 'application/zip']), digest: Digest }))
    .min(1)
    .optional(),
})
export type IndexEntry = z.infer<typeof IndexEntry>
const Index = z.strictObject({ skills: z.array(IndexEntry) })

const ResourceItem = z.looseObject({
  uri: z.string(),
  name: z.string(),
  mimeType: z.string().optional(),
  description: z.string().optional(),
})
export type ResourceItem = z.infer<typeof ResourceItem>
const ResourcesPage = z.looseObject({ resources: z.array(ResourceItem), nextCursor: z.string().optional() })

const Contents = z.tuple([z.looseObject({ text: z.string().optional(), blob: z.base64().optional() })])

/** T6: nothing says how long a listing may be, so a client needs a limit of its own. */
const maxPages = 200

export async function listSkills(session: Session): Promise<SkillEntry[]> {
  return await pages(session, 'skills/list', {}, (answer) => {
    const { skills, nextCursor } = parseAs(SkillsPage, answer, 'skills/list')
    return { items: skills, nextCursor }
  })
}

export async function listResources(session: Session): Promise<ResourceItem[]> {
  return await resourcePages(session, 'resources/list', {})
}

export async function listDirectory(session: Session, uri: string): Promise<ResourceItem[]> {
  return await resourcePages(session, 'resources/directory/read', { uri })
}

export async function readIndex(session: Session): Promise<IndexEntry[]> {
  const text = (await readBytes(session, 'skill://index.json')).toString('utf8')
  return parseAs(Index, JSON.parse(text) as unknown, 'skill://index.json').skills
}

export async function readBytes(session: Session, uri: string): Promise<Buffer> {
  const { contents } = await session.request('resources/read', { uri })
  const [{ text, blob }] = parseAs(Contents, contents, `The content of ${uri}`)
  return blob === undefined ? Buffer.from(text ?? '', 'utf8') : Buffer.from(blob, 'base64')
}

async function resourcePages(session: Session, method: string, params: Record<string, unknown>) {
  return await pages(session, method, params, (answer) => {
    const { resources, nextCursor } = parseAs(ResourcesPage, answer, method)
    return { items: resources, nextCursor }
  })
}

interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | undefined
}

async function pages<T>(
  session: Session,
  method: string,
  params: Record<string, unknown>,
  parse: (answer: unknown) => Page<T>,
): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const found = parse(await session.request(method, cursor === undefined ? params : { ...params, cursor }))
    items.push(...found.items)
    if (found.nextCursor === undefined) return items
    cursor = found.nextCursor
  }
  throw new RangeError(`${method} does not end after ${maxPages} pages`)
}
