import { archiveMediaTypes } from '@landfall/contracts'
import { indexDocument } from './index-document.ts'
import { isText, mediaTypeOf } from './media-types.ts'
import type { ServedSkill } from './served.ts'
import { archiveUri, indexUri, skillRoot } from './uris.ts'

/**
 * Turns skills into MCP resources of the index revision: the index, each individually addressable file and
 * each archive, every one with its URI, media type and bytes.
 */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType: string
  /** Sent as text, otherwise as base64. */
  readonly text: boolean
  readonly bytes: Buffer
  /** Extra keys under the extension's own prefix (iS7). */
  readonly meta?: Readonly<Record<string, unknown>>
}

const frontmatterKey = 'io.modelcontextprotocol.skills/frontmatter'

/** All resources in the order of `resources/list`: the index first, then skill by skill. */
export function resourcesOf(skills: readonly ServedSkill[]): Resource[] {
  const index: Resource = {
    uri: indexUri,
    name: 'index.json',
    mimeType: 'application/json',
    text: true,
    bytes: indexDocument(skills),
  }
  return [index, ...skills.flatMap((skill) => [...fileResources(skill), ...archiveResources(skill)])]
}

function fileResources(skill: ServedSkill): Resource[] {
  return skill.files.map(({ path, bytes }) => {
    const mimeType = mediaTypeOf(path)
    const resource = { uri: `${skillRoot(skill)}/${path}`, name: path, mimeType, text: isText(mimeType), bytes }
    if (path !== 'SKILL.md') return resource
    const { name, description } = skill.frontmatter
    return { ...resource, name, description, meta: { [frontmatterKey]: skill.frontmatter } }
  })
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
