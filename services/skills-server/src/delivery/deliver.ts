import { archiveFormats } from '@landfall/contracts'
import type { ServedSkill } from '../catalogue/served.ts'
import { type Answer, type Asked, missing } from './answer.ts'
import { archiveAt } from './archive-url.ts'
import { clawhubAt } from './clawhub.ts'
import { gitAt } from './git/upload-pack.ts'
import { marketplaceOf } from './marketplace.ts'
import { checkoutOf } from './checkout.ts'
import { findSkill } from './find-skill.ts'
import { archivesAt, filesAt } from './well-known.ts'

/**
 * The skills of a trial as installers take them that speak no MCP, made of the same bytes. The addresses are those of
 * `deliveryPath` in the contracts. Pure.
 */
export function deliver(skills: readonly ServedSkill[], asked: Asked): Answer {
  const [channel = '', ...path] = asked.path
  const get = asked.method === 'GET' || asked.method === 'HEAD'
  const [repository, ...within] = path
  const skill = findSkill(skills, repository?.replace(/\.git$/, ''))
  // A clone asks by POST for what it wants.
  if (channel === 'git' && skill !== undefined) return gitAt(checkoutOf(skill), within, asked)
  if (channel === 'marketplace' && skill !== undefined) return gitAt(marketplaceOf(skill), within, asked)
  if (!get) return missing
  if (channel === 'archives' && path.length === 1) return archiveAt(skills, repository)
  if (channel === 'files') return filesAt(skills, path)
  if (channel === 'clawhub') return clawhubAt(skills, path, asked.query)
  const format = archiveFormats.find((each) => each === channel)
  return format === undefined ? missing : archivesAt(skills, format, path)
}
