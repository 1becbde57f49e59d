import type { ServedSkill } from '../catalogue/served.ts'
import { type Answer, json, missing, payload } from './answer.ts'
import { addressName, findSkill } from './find-skill.ts'

/** As much of ClawHub's registry as an installation asks for: what is known of a skill, and its newest version as a zip. */
const version = '1.0.0'
const owner = 'lab'
/** Every skill is of the same day, so that the same trial answers the same bytes. */
const createdAt = Date.UTC(2026, 0, 1)

/** @param path segments below the registry's address, `['api', 'v1', 'download']`. */
export function clawhubAt(skills: readonly ServedSkill[], path: readonly string[], query: URLSearchParams): Answer {
  const [api, one, what, slug, ...rest] = path
  if (api !== 'api' || one !== 'v1') return missing
  if (what === 'skills' && rest.length === 0) return described(findSkill(skills, slug))
  if (what !== 'download' || slug !== undefined) return missing
  const skill = findSkill(skills, query.get('slug') ?? undefined)
  const zip = skill?.archives.find(({ format }) => format === 'zip')
  return zip === undefined ? missing : payload('application/zip', zip.bytes)
}

function described(skill: ServedSkill | undefined): Answer {
  if (skill === undefined) return missing
  const slug = addressName(skill)
  const { description } = skill.frontmatter
  return json({
    skill: { slug, displayName: slug, summary: description, tags: {}, stats: {}, createdAt, updatedAt: createdAt },
    latestVersion: { version, createdAt, changelog: 'First version.' },
    owner: { handle: owner, displayName: 'The lab' },
    moderation: null,
  })
}
