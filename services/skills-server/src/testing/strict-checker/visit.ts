import { z } from 'zod'
import { entriesIn } from './packed.ts'
import { limits } from './limits.ts'
import type {
  Answer,
  ArchiveEntry,
  Content,
  Fields,
  IndexSurvey,
  Listing,
  Read,
  Refusal,
  StableSurvey,
} from './survey.ts'
import { measured } from './survey.ts'
import { isBelow, parentOf, schemeOf } from './uris.ts'
import type { Ask } from './wire.ts'

/** Asks a server for everything that it names, each file twice, and writes down the answers. Judges nothing. */
const Item = z.record(z.string(), z.unknown())
const Items = z.array(Item)
const Contents = z.tuple([
  z.looseObject({ mimeType: z.unknown(), text: z.string().optional(), blob: z.string().optional() }),
])

const nobody = 'skill://landfall-no-such-skill'

export async function visitStable(ask: Ask, known: readonly string[]): Promise<StableSurvey> {
  const capabilities = capabilitiesFrom(await ask('server/discover'))
  const list = await follow(ask, 'skills/list', 'skills')
  const resources = await follow(ask, 'resources/list', 'resources')
  const listed = textsOf(list.items, 'uri')
  const documents = textsOf(resources.items, 'uri').filter((uri) => uri.endsWith('/SKILL.md'))
  const got = new Map<string, Answer>()
  for (const uri of new Set([...listed, ...documents])) got.set(uri, await ask('skills/get', { uri }))
  const entries = [...list.items, ...[...got.values()].flatMap(skillOf)]
  const directories = await walkFrom(ask, textsOf(entries, 'uri'))
  const stated = entries.flatMap(({ resources: items }) => textsOf(Items.safeParse(items).data ?? [], 'uri'))
  const reads = await readTwice(ask, [
    ...listed,
    ...stated,
    ...filesOf(directories),
    ...textsOf(resources.items, 'uri'),
  ])
  const refusals = await refuse(ask, listed, ['skills/get', 'resources/read', 'resources/directory/read'])
  return { capabilities, list, got, resources, directories, reads: reads.reads, refusals, known }
}

export async function visitIndex(ask: Ask, known: readonly string[]): Promise<IndexSurvey> {
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'strict', version: '1' } }
  const capabilities = capabilitiesFrom(await ask('initialize', initialize))
  const index = await readIndex(ask)
  const entries = Items.safeParse(Item.safeParse(index).data?.['skills']).data ?? []
  const resources = await follow(ask, 'resources/list', 'resources')
  const urls = textsOf(entries, 'url')
  const directories = await walkFrom(ask, urls)
  const packed = entries.flatMap(({ archives }) => textsOf(Items.safeParse(archives).data ?? [], 'url'))
  const { reads, archives } = await readTwice(
    ask,
    [...urls, ...packed, ...filesOf(directories), ...textsOf(resources.items, 'uri')],
    new Set(packed),
  )
  const refusals = await refuse(ask, urls, ['resources/read', 'resources/directory/read'])
  return { capabilities, index, archives, resources, directories, reads, refusals, known }
}

function capabilitiesFrom(answer: Answer): Fields {
  return 'result' in answer ? (Item.safeParse(answer.result['capabilities']).data ?? {}) : {}
}

/** Every page, up to the limit of a careful host (T6). */
async function follow(ask: Ask, method: string, field: string, params: Fields = {}): Promise<Listing> {
  const answers: Answer[] = []
  const pages: Fields[][] = []
  let cursor: string | undefined
  while (answers.length < limits.pages) {
    const answer = await ask(method, cursor === undefined ? params : { ...params, cursor })
    answers.push(answer)
    if (!('result' in answer)) break
    pages.push(Items.safeParse(answer.result[field]).data ?? [])
    const next = z.string().safeParse(answer.result['nextCursor']).data
    if (next === undefined) return { answers, items: pages.flat(), ends: true }
    cursor = next
  }
  return { answers, items: pages[0] ?? [], ends: false }
}

/** Directories from those of the skills downwards. A `file:` URI is never followed: this server has none. */
async function walkFrom(ask: Ask, skills: readonly string[]): Promise<ReadonlyMap<string, Listing>> {
  const found = new Map<string, Listing>()
  const queue = skills.filter((uri) => schemeOf(uri) !== 'file').map(parentOf)
  for (let uri = queue.shift(); uri !== undefined; uri = queue.shift()) {
    if (found.has(uri)) continue
    const here = uri
    const listing = await follow(ask, 'resources/directory/read', 'resources', { uri })
    found.set(uri, listing)
    const below = listing.items.filter(({ mimeType }) => mimeType === 'inode/directory')
    queue.push(...textsOf(below, 'uri').filter((child) => isBelow(child, here)))
  }
  return found
}

function filesOf(directories: ReadonlyMap<string, Listing>): string[] {
  const children = [...directories.values()].flatMap(({ items }) => items)
  return textsOf(
    children.filter(({ mimeType }) => mimeType !== 'inode/directory'),
    'uri',
  )
}

async function readTwice(ask: Ask, uris: readonly string[], packed: ReadonlySet<string> = new Set()) {
  const reads = new Map<string, Read[]>()
  const archives = new Map<string, readonly ArchiveEntry[]>()
  for (const uri of new Set(uris)) {
    const [first, second] = [await read(ask, uri), await read(ask, uri)]
    reads.set(uri, [withoutBytes(first), withoutBytes(second)])
    if (packed.has(uri) && 'bytes' in first) archives.set(uri, await entriesIn(first.bytes))
  }
  return { reads, archives }
}

interface WholeContent extends Content {
  readonly bytes: Buffer
}

async function read(ask: Ask, uri: string): Promise<WholeContent | { readonly error: number }> {
  const answer = await ask('resources/read', { uri })
  if (!('result' in answer)) return answer
  const [{ mimeType, text, blob }] = Contents.parse(answer.result['contents'])
  const bytes = blob === undefined ? Buffer.from(text ?? '') : Buffer.from(blob, 'base64')
  return { mimeType, bytes, ...measured(bytes) }
}

function withoutBytes(from: WholeContent | { readonly error: number }): Read {
  if ('error' in from) return from
  const { mimeType, digest, size, head } = from
  return { mimeType, digest, size, head }
}

async function readIndex(ask: Ask): Promise<unknown> {
  const content = await read(ask, 'skill://index.json')
  if (!('bytes' in content)) return undefined
  try {
    return JSON.parse(content.bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

async function refuse(ask: Ask, files: readonly string[], methods: readonly string[]): Promise<Refusal[]> {
  const refusals: Refusal[] = []
  for (const method of methods) {
    const uri = method === 'resources/directory/read' ? nobody : `${nobody}/SKILL.md`
    refusals.push({ method, why: 'unknown', answer: await ask(method, { uri }) })
  }
  const [file] = files
  if (file !== undefined) {
    const method = 'resources/directory/read'
    refusals.push({ method, why: 'not-a-directory', answer: await ask(method, { uri: file }) })
  }
  return refusals
}

function skillOf(answer: Answer): Fields[] {
  const skill = 'result' in answer ? Item.safeParse(answer.result['skill']).data : undefined
  return skill === undefined ? [] : [skill]
}

/** The texts in one field of `items`; what is none is left out. */
function textsOf(items: readonly Fields[], field: string): string[] {
  return items.flatMap((item) => (typeof item[field] === 'string' ? [item[field]] : []))
}
