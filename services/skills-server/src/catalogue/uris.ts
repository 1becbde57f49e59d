import type { ArchiveFormat } from '@landfall/contracts'
import type { ServedFile, ServedSkill } from './served.ts'

/** The URIs under which things are served (iS2, S5, fact sheet A4). None of them ever leaves the server as a path. */
export const indexUri = 'skill://index.json'

export const markdownPath = 'SKILL.md'

/** The directory of a skill, without a closing slash. */
export function skillRoot(skill: Pick<ServedSkill, 'path'>): string {
  return `skill://${encodePath(skill.path)}`
}

export function fileUri(skill: Pick<ServedSkill, 'path'>, file: ServedFile): string {
  return file.lie?.uri ?? `${skillRoot(skill)}/${encodePath(file.path)}`
}

export function archiveUri(skill: Pick<ServedSkill, 'path'>, format: ArchiveFormat): string {
  return `${skillRoot(skill)}.${format}`
}

/** Each segment as RFC 3986 wants it (S7). Plain names stay what they are. */
function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment.toWellFormed()).replaceAll(/%(?:2B|2C|3A|3B|3D|40|24|26)/g, decodeURIComponent),
    )
    .join('/')
}
