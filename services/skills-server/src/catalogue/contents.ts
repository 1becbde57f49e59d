import type { Revision } from '@landfall/contracts'
import type { Directories } from './directory.ts'
import { directoriesOf } from './directory.ts'
import { listItem } from './list-item.ts'
import type { Resource } from './resources.ts'
import { indexResource, resourcesOf } from './resources.ts'
import type { DirectoryItem, FixturePayload, PagingLie, ServedSkill } from './served.ts'
import type { ToldSkill } from './skill-entry.ts'
import { skillEntries } from './skill-entry.ts'
import { servedIn, skillsIn } from './view.ts'

/** Everything that one endpoint serves, ready to be answered. Pure: the same payloads make the same contents. */
export interface Contents {
  readonly skills: readonly ServedSkill[]
  readonly resources: ReadonlyMap<string, Resource>
  /** What `resources/list` tells, in order. */
  readonly listing: readonly DirectoryItem[]
  readonly directories: Directories
  /** What `skills/list` tells, in order. Empty where the stable revision is not served. */
  readonly listed: readonly unknown[]
  /** What `skills/get` tells, by URI. */
  readonly got: ReadonlyMap<string, unknown>
  readonly pages: PagingLie
}

export function contentsOf(payloads: readonly FixturePayload[], revisions: readonly Revision[]): Contents {
  const all = payloads.flatMap((payload) => payload.skills)
  const skills = servedIn(revisions, all)
  const resources = [
    ...(revisions.includes('index') ? [indexResource(skillsIn('index', all))] : []),
    ...resourcesOf(skills),
  ]
  const entries = revisions.includes('stable') ? skillEntries(skillsIn('stable', all)) : []
  return {
    skills,
    resources: new Map(resources.map((resource) => [resource.uri, resource])),
    listing: resources.map(listItem),
    directories: directoriesOf(skills),
    listed: entries.map(({ listed }) => listed).filter((entry) => entry !== undefined),
    got: new Map(entries.flatMap(({ uri, got }: ToldSkill) => (got === undefined ? [] : [[uri, got]]))),
    pages: payloads.reduce<PagingLie>((known, { pages }) => ({ ...known, ...pages }), {}),
  }
}
