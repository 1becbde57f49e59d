import type { ArchiveFormat } from '@landfall/contracts'
import { z } from 'zod'
import { digestOf } from '../catalogue/digest.ts'
import { indexEntries } from '../catalogue/index-entry.ts'
import { mediaTypeOf } from '../catalogue/media-types.ts'
import type { Frontmatter, ServedSkill } from '../catalogue/served.ts'
import { type Answer, json, missing, payload } from './answer.ts'
import { archiveAt } from './archive-url.ts'
import { checkoutOf } from './checkout.ts'
import { addressName, findSkill } from './find-skill.ts'

/**
 * Skills at well-known addresses, in both forms that installers know: `.well-known/skills/` lists each skill's files,
 * `.well-known/agent-skills/` an archive with its digest. A skill is called what its entry in our own index calls it,
 * so that a name which lies there lies here too.
 */
const schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/** @param path segments below the base, `['.well-known', 'skills', 'index.json']`. */
export function filesAt(skills: readonly ServedSkill[], path: readonly string[]): Answer {
  const [, folder, name, ...rest] = path
  if (path[0] !== '.well-known' || folder !== 'skills') return missing
  if (name === 'index.json' && rest.length === 0) return json({ skills: listed(skills).flatMap(withFiles) })
  const skill = findSkill(skills, name)
  const entry = skill && checkoutOf(skill).find((each) => each.path === rest.join('/'))
  return entry === undefined || !('bytes' in entry) ? missing : payload(mediaTypeOf(entry.path), entry.bytes)
}

export function archivesAt(skills: readonly ServedSkill[], format: ArchiveFormat, path: readonly string[]): Answer {
  const [, folder, file, ...rest] = path
  if (path[0] !== '.well-known' || folder !== 'agent-skills' || rest.length > 0) return missing
  if (file !== 'index.json') return archiveAt(skills, file)
  return json({ $schema: schema, skills: listed(skills).flatMap((each) => withArchive(each, format)) })
}

interface Listed {
  readonly skill: ServedSkill
  readonly name: string
  readonly description: string
}

const Claimed = z.object({ frontmatter: z.object({ name: z.string(), description: z.string() }) })

function listed(skills: readonly ServedSkill[]): Listed[] {
  return skills.flatMap((skill) => {
    const [entry] = indexEntries([skill])
    if (entry === undefined) return []
    const { name, description }: Pick<Frontmatter, 'name' | 'description'> =
      Claimed.safeParse(entry).data?.frontmatter ?? skill.frontmatter
    return [{ skill, name, description }]
  })
}

function withFiles({ skill, name, description }: Listed) {
  const files = checkoutOf(skill).flatMap((entry) => ('bytes' in entry ? [entry.path] : []))
  return files.length === 0 ? [] : [{ name, description, files }]
}

function withArchive({ skill, name, description }: Listed, format: ArchiveFormat) {
  const archive = skill.archives.find((each) => each.format === format)
  if (archive === undefined) return []
  const url = `${encodeURIComponent(addressName(skill))}.${format}`
  return [{ name, type: 'archive', description, url, digest: digestOf(archive.bytes) }]
}
