import { archiveMediaTypes, type ArchiveFormat } from '@landfall/contracts'
import { z } from 'zod'
import { splitSkill } from '../agent/split-skill.ts'
import { act } from './act.ts'
import { ServerFault } from '../mcp/answer.ts'
import { readArchive, writeEntries } from './archive/unpack.ts'
import { field } from './field.ts'
import type { HeldSkill, Host } from './host.ts'
import { reasonOf } from './host.ts'
import { fromCopy } from './rules/cache.ts'
import { checkName } from './rules/names.ts'
import { refuseLocal } from './rules/origin.ts'
import { caps } from './rules/sizes.ts'
import { verify, verifyFrontmatter } from './rules/verification.ts'
import { Refusal } from './rule.ts'
import { whole } from './rules/window.ts'

/** The index revision: skill://index.json, single files and archives. */
export interface Ended {
  readonly uri: string
  readonly name: string
  readonly outcome: 'used' | 'approved' | 'refused' | 'not-approved'
  readonly folder?: string
  readonly rule?: string
  readonly message?: string
}

/** How far a visit goes: a user can approve a skill that is not needed yet. */
export type Until = 'approval' | 'use'

const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const Archive = z.looseObject({ url: z.string(), mimeType: z.string(), digest: Digest })
const IndexEntry = z
  .looseObject({
    url: z.string().optional(),
    digest: Digest.optional(),
    frontmatter: z.looseObject({ name: z.string(), description: z.string() }),
    archives: z.array(Archive).optional(),
  })
  .refine((entry) => (entry.url === undefined) === (entry.digest === undefined))
type IndexEntry = z.infer<typeof IndexEntry>
const Index = z.looseObject({ skills: z.array(IndexEntry) })

const indexUri = 'skill://index.json'
const indexBytes = 1024 * 1024

export async function useIndex(host: Host, until: Until): Promise<Ended[]> {
  const text = (await host.read(indexUri, indexBytes)).toString('utf8')
  const { success, data } = Index.safeParse(parsed(text))
  if (!success) throw new ServerFault(`${indexUri} is no index of skills`)
  const ended: Ended[] = []
  for (const entry of data.skills) ended.push(await useOne(host, entry, until))
  return ended
}

async function useOne(host: Host, entry: IndexEntry, until: Until): Promise<Ended> {
  const { name } = entry.frontmatter
  const archive = pick(entry)
  const uri = entry.url ?? archive?.url ?? ''
  const ended = { uri, name }
  let held: HeldSkill | undefined
  try {
    refuseLocal(host.guard, uri)
    checkName(host.guard, name)
    const items = [
      entry.digest === undefined ? [] : { uri, digest: entry.digest },
      archive === undefined ? [] : { uri: archive.url, digest: archive.digest },
    ].flat()
    const skill = { uri, name, frontmatter: entry.frontmatter, items, markdownLimit: caps.markdownBytes }
    if (!host.approved(skill)) return { ...ended, outcome: 'not-approved' }
    if (until === 'approval') return { ...ended, outcome: 'approved' }
    held = skill
    if (archive === undefined) await act(host, skill, await host.load(skill))
    else await useArchive(host, skill, archive)
    host.settle()
    return { ...ended, outcome: 'used', folder: host.folderOf(skill) }
  } catch (error) {
    if (held !== undefined) host.drop(held)
    return { ...ended, outcome: 'refused', ...reasonOf(error) }
  }
}

interface Picked {
  readonly url: string
  readonly digest: string
  readonly format: ArchiveFormat
}

function pick({ archives = [] }: IndexEntry): Picked | undefined {
  for (const format of ['tar.gz', 'zip'] as const) {
    const found = archives.find(({ mimeType }) => mimeType === archiveMediaTypes[format])
    if (found !== undefined) return { ...found, format }
  }
  return undefined
}

async function useArchive(host: Host, skill: HeldSkill, { url, digest, format }: Picked): Promise<void> {
  refuseLocal(host.guard, url)
  const bytes = await host.read(url, caps.archiveBytes)
  verify(host.guard, url, bytes, { digest })
  const entries = await readArchive(host.guard, format, bytes)
  host.spend(entries.reduce((sum, entry) => sum + entry.bytes.length, 0))
  const markdown = entries.find(({ path, type }) => type === 'file' && path.replace(/^\.\//, '') === 'SKILL.md')
  host.guard.hold(whole, markdown !== undefined, 'the archive holds no SKILL.md at its root', { uri: url })
  const text = markdown?.bytes.toString('utf8') ?? ''
  const { frontmatter } = splitSkill(text)
  verifyFrontmatter(host.guard, url, frontmatter, skill.frontmatter)
  host.drop(skill)
  // The careless way names the directory after what SKILL.md says, whoever vouches for it.
  const folder = host.folderOf({ ...skill, name: nameIn(frontmatter) ?? skill.name })
  writeEntries(host.around.disk, folder, entries)
  // Acting reads from the copy alone (iH9), so nothing more is asked of the server.
  if (!host.guard.on(fromCopy))
    await readLive(
      host,
      skill,
      entries.map(({ path }) => path),
    )
}

/** What iH9 forbids: files of the archive, read live and taken as they come. */
async function readLive(host: Host, skill: HeldSkill, paths: readonly string[]): Promise<void> {
  const root = skill.uri.replace(/\/SKILL\.md$|\.tar\.gz$|\.zip$/, '')
  for (const path of paths) {
    try {
      host.keep(skill, path, await host.read(`${root}/${path}`, caps.fileBytes))
    } catch (error) {
      // It is not served but in the archive.
      if (!(error instanceof ServerFault || error instanceof Refusal)) throw error
    }
  }
}

function nameIn(frontmatter: unknown): string | undefined {
  const name = field(frontmatter, 'name')
  return typeof name === 'string' ? name : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
