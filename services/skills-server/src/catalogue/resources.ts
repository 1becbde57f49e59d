import { archiveMediaTypes } from '@landfall/contracts'
import { indexDocument } from './index-document.ts'
import { isText, mediaTypeOf } from './media-types.ts'
import type { ServedFile, ServedSkill } from './served.ts'
import { archiveUri, fileUri, indexUri, markdownPath } from './uris.ts'

/**
 * Turns skills into MCP resources: the index, each individually addressable file and each archive, every one
 * with its URI, media type and bytes.
 */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType: string
  /** Sent as text, otherwise as base64. */
  readonly text: boolean
  /** What is stated of it is stated of these. */
  readonly bytes: Buffer
  /** What the first, second, ... read of it answers, where that is not `bytes`; the last one is repeated. */
  readonly reads?: readonly Buffer[]
  /** Extra keys under the extension's own prefix (iS7, S8). */
  readonly meta?: Readonly<Record<string, unknown>>
}

const frontmatterKey = 'io.modelcontextprotocol.skills/frontmatter'

/** The index of the skills, as a resource. */
export function indexResource(skills: readonly ServedSkill[]): Resource {
  return { uri: indexUri, name: 'index.json', mimeType: 'application/json', text: true, bytes: indexDocument(skills) }
}

/** All resources of the skills in the order of `resources/list`: skill by skill, its files before its archives. */
export function resourcesOf(skills: readonly ServedSkill[]): Resource[] {
  return skills.flatMap((skill) => [...fileResources(skill), ...archiveResources(skill)])
}

function fileResources(skill: ServedSkill): Resource[] {
  return skill.files.filter(({ lie }) => lie?.missing !== true).map((file) => fileResource(skill, file))
}

/** One file of a skill. SKILL.md goes by the skill's name and description. */
export function fileResource(skill: ServedSkill, file: ServedFile): Resource {
  const { path, bytes, lie } = file
  const mimeType = mediaTypeOf(path)
  const resource = {
    uri: fileUri(skill, file),
    name: path,
    mimeType,
    text: isText(mimeType, bytes),
    bytes,
    ...(lie?.reads === undefined ? {} : { reads: lie.reads }),
  }
  if (path !== markdownPath) return resource
  const { name, description } = skill.frontmatter
  return { ...resource, name, description, meta: { [frontmatterKey]: skill.frontmatter } }
}

function archiveResources(skill: ServedSkill): Resource[] {
  return skill.archives.map(({ format, bytes }) => ({
    uri: archiveUri(skill, format),
    name: `${skill.frontmatter.name}.${format}`,
    mimeType: archiveMediaTypes[format],
    text: false,
    bytes,
  }))
}
