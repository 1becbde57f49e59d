import { type ArchiveFormat, archiveMediaTypes } from '@landfall/contracts'
import { z } from 'zod'
import { ServerFault } from '../mcp/answer.ts'
import { field } from '../reference/field.ts'
import type { Session } from '../reference/session.ts'

/**
 * What a server offers, taken at its word: this host checks no digest, size, name or frontmatter, so that whatever
 * stops a fixture in its row is the pin.
 */
export interface Offer {
  /** As listed. It need not be one that may become the name of a directory. */
  readonly name: string
  /** Of SKILL.md, or of the archive. The pin belongs to it. */
  readonly uri: string
  /** URIs of the files that the entry states. */
  readonly stated: readonly string[]
  readonly archive?: { readonly uri: string; readonly format: ArchiveFormat }
}

const Frontmatter = z.looseObject({ name: z.string() })
const StableEntry = z.looseObject({ uri: z.string(), frontmatter: Frontmatter, resources: z.unknown().optional() })
const Archive = z.looseObject({ url: z.string(), mimeType: z.string() })
const IndexEntry = z.looseObject({
  url: z.string().optional(),
  frontmatter: Frontmatter,
  archives: z.array(Archive).optional(),
})
const Index = z.looseObject({ skills: z.array(IndexEntry) })

/** More than any fixture takes to show that a list without an end is followed (T6); then this host stops as well. */
const mostPages = 128
const indexUri = 'skill://index.json'

/** @throws ServerFault when the list is none; NoAnswer when the connection is lost. */
export async function offersOf(session: Session, revision: 'index' | 'stable'): Promise<Offer[]> {
  return revision === 'stable' ? await listed(session) : await indexed(session)
}

async function listed(session: Session): Promise<Offer[]> {
  const offers: Offer[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await session.request('skills/list', cursor === undefined ? {} : { cursor })
    for (const { uri, frontmatter, resources } of parsed(z.array(StableEntry), answer['skills'], 'skills/list')) {
      const items: readonly unknown[] = Array.isArray(resources) ? resources : []
      const stated = items.map((item) => field(item, 'uri')).filter((item) => typeof item === 'string')
      offers.push({ name: frontmatter.name, uri, stated })
    }
    if (typeof answer['nextCursor'] !== 'string') break
    cursor = answer['nextCursor']
  }
  return offers
}

async function indexed(session: Session): Promise<Offer[]> {
  const text = (await readResource(session, indexUri)).toString('utf8')
  return parsed(Index, jsonOf(text), indexUri).skills.flatMap(({ url, frontmatter: { name }, archives = [] }) => {
    const archive = pick(archives)
    const uri = url ?? archive?.uri
    return uri === undefined ? [] : [{ name, uri, stated: [], ...(archive === undefined ? {} : { archive }) }]
  })
}

function pick(archives: readonly z.infer<typeof Archive>[]): Offer['archive'] {
  for (const format of ['tar.gz', 'zip'] as const) {
    const found = archives.find(({ mimeType }) => mimeType === archiveMediaTypes[format])
    if (found !== undefined) return { uri: found.url, format }
  }
  return undefined
}

/** @throws ServerFault when the server has no such resource, or answers without content. */
export async function readResource(session: Session, uri: string): Promise<Buffer> {
  const { contents } = await session.request('resources/read', { uri })
  const first: unknown = Array.isArray(contents) ? contents[0] : undefined
  const [text, blob] = [field(first, 'text'), field(first, 'blob')]
  if (typeof text === 'string') return Buffer.from(text, 'utf8')
  if (typeof blob === 'string') return Buffer.from(blob, 'base64')
  throw new ServerFault(`the answer to a read of ${uri} holds no content`)
}

function parsed<S extends z.ZodType>(schema: S, value: unknown, what: string): z.infer<S> {
  const { success, data, error } = schema.safeParse(value)
  if (!success) throw new ServerFault(`${what} is not of the extension: ${z.prettifyError(error)}`)
  return data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
