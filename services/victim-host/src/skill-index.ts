import type { ArchiveFormat } from '@landfall/contracts'
import { quoted } from './printable.ts'

/**
 * Reads `skill://index.json` (fact sheet A1): what is offered, under which name, in which archive.
 *
 * Checked by hand instead of with zod, because it runs in every trial and loading zod alone would double what
 * an installation costs. A property test holds it against a zod schema of the same document.
 */
export interface OfferedArchive {
  readonly uri: string
  readonly format: ArchiveFormat
  /** 64 lowercase hex digits. */
  readonly sha256: string
}

export interface OfferedSkill {
  /** Obeys the naming rule, so that it may become the name of a directory. */
  readonly name: string
  /** Only those in a format of the index revision; empty for a skill that is served file by file. */
  readonly archives: readonly OfferedArchive[]
}

export interface SkillIndex {
  readonly skills: readonly OfferedSkill[]
  /** One sentence for each entry that cannot be used. */
  readonly rejected: readonly string[]
}

const formats: Readonly<Record<string, ArchiveFormat>> = { 'application/gzip': 'tar.gz', 'application/zip': 'zip' }

/** The naming rule of the extension (iS3): lower-case words and digits joined by single hyphens, at most 64 characters. */
export function isSkillName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)
}

/**
 * @param text the document as it came.
 * @returns `undefined` when it is no index at all; bad entries are left out and named in `rejected`.
 */
export function parseSkillIndex(text: string): SkillIndex | undefined {
  const document = parseJson(text)
  if (!isRecord(document) || !Array.isArray(document.skills)) return undefined
  const skills: OfferedSkill[] = []
  const rejected: string[] = []
  for (const [position, entry] of document.skills.entries()) {
    const skill = parseEntry(entry)
    if (typeof skill === 'string') rejected.push(`entry ${position} of the index: ${skill}`)
    else skills.push(skill)
  }
  return { skills, rejected }
}

function parseEntry(entry: unknown): OfferedSkill | string {
  if (!isRecord(entry) || !isRecord(entry.frontmatter)) return 'has no frontmatter'
  const { name, description } = entry.frontmatter
  if (typeof name !== 'string' || typeof description !== 'string')
    return 'its frontmatter lacks a name or a description'
  if (!isSkillName(name)) return `${quoted(name)} is not allowed as the name of a skill`
  const { archives: offered } = entry
  if (offered === undefined) return { name, archives: [] }
  if (!Array.isArray(offered) || offered.length === 0) return `the archives of ${name} are not a list`
  const archives: OfferedArchive[] = []
  for (const item of offered) {
    const archive = parseArchive(item)
    if (typeof archive === 'string') return `an archive of ${name} ${archive}`
    if (archive !== undefined) archives.push(archive)
  }
  return { name, archives }
}

/** `undefined` for a well-formed archive in a format that the index revision does not name (iS11). */
function parseArchive(item: unknown): OfferedArchive | string | undefined {
  if (!isRecord(item)) return 'is not an object'
  const { url, mimeType, digest } = item
  if (typeof url !== 'string' || url === '') return 'has no URL'
  if (typeof mimeType !== 'string') return 'has no media type'
  const sha256 = typeof digest === 'string' ? /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1] : undefined
  if (sha256 === undefined) return 'has no digest of the form sha256:<64 hex digits>'
  const format = Object.hasOwn(formats, mimeType) ? formats[mimeType] : undefined
  return format === undefined ? undefined : { uri: url, format, sha256 }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
