import { digestOf } from './digest.ts'
import type { Frontmatter, ServedFile, ServedSkill } from './served.ts'
import { nestedSkills } from './nesting.ts'
import { fileUri, markdownPath } from './uris.ts'

/** One entry of `skills/list` and `skills/get` (fact sheet B1). */
export interface SkillEntry {
  readonly uri: string
  readonly frontmatter: Frontmatter
  readonly resources: readonly ManifestItem[]
}

export interface ManifestItem {
  readonly uri: string
  readonly digest: string
  /** Bytes, of the same content as the digest (S15). */
  readonly size: number
}

/**
 * The honest entry of a skill: every file once (S13), those of the skills `nested` in it too (S17).
 *
 * `undefined` for a skill that comes only as an archive: the stable revision cannot express it.
 */
export function honestSkillEntry(skill: ServedSkill, nested: readonly ServedSkill[] = []): SkillEntry | undefined {
  const uri = markdownUri(skill)
  if (uri === undefined) return undefined
  const resources = [skill, ...nested].flatMap((owner) => owner.files.flatMap((file) => manifestItem(owner, file)))
  return { uri, frontmatter: skill.frontmatter, resources }
}

/** What the stable revision tells of a skill. Either is `undefined` where it says nothing. */
export interface ToldSkill {
  readonly uri: string
  readonly listed: unknown
  readonly got: unknown
}

/** What `skills/list` and `skills/get` tell of each skill, honest or not, in the order of `skills`. */
export function skillEntries(skills: readonly ServedSkill[]): ToldSkill[] {
  const nested = nestedSkills(skills)
  return skills.flatMap((skill) => {
    const honest = honestSkillEntry(skill, nested.get(skill))
    if (honest === undefined) return []
    const lie = skill.lie?.stable
    const told = lie?.entry === undefined ? honest : lie.entry(honest)
    const got = lie?.got === undefined ? told : lie.got(told)
    return {
      uri: honest.uri,
      listed: lie?.unlisted === true ? undefined : told,
      got: lie?.ungettable === true ? undefined : got,
    }
  })
}

export function markdownUri(skill: ServedSkill): string | undefined {
  const markdown = skill.files.find(({ path }) => path === markdownPath)
  return markdown === undefined ? undefined : fileUri(skill, markdown)
}

function manifestItem(skill: ServedSkill, file: ServedFile): ManifestItem[] {
  if (file.lie?.unlisted === true) return []
  return [{ uri: fileUri(skill, file), digest: digestOf(file.bytes), size: file.bytes.length }]
}
