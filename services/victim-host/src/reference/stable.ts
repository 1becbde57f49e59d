import { z } from 'zod'
import { act } from './act.ts'
import type { HeldSkill, Host } from './host.ts'
import { reasonOf } from './host.ts'
import { nextPage } from './rules/listing.ts'
import { checkManifest, limitsOfSkill } from './rules/manifest.ts'
import { checkName } from './rules/names.ts'
import { refuseLocal } from './rules/origin.ts'
import { lazy } from './rules/window.ts'
import type { Ended, Until } from './index-revision.ts'

/** The stable revision: skills/list, skills/get, and files by plain resources/read. */
const Entry = z.looseObject({
  uri: z.string(),
  frontmatter: z.looseObject({ name: z.string(), description: z.string() }),
  resources: z.unknown().optional(),
})
type Entry = z.infer<typeof Entry>

/** A mutant without a limit of its own ends here all the same. */
const mostPagesEver = 150

export async function useStable(host: Host, until: Until, only?: string): Promise<Ended[]> {
  const entries = only === undefined ? await list(host) : [await get(host, only)]
  const ended: Ended[] = []
  for (const entry of entries) ended.push(await useOne(host, entry, until))
  return ended
}

/** Every entry that the server lists. @throws Refusal for a listing without an end (T6). */
async function list(host: Host): Promise<Entry[]> {
  const entries: Entry[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < mostPagesEver; page += 1) {
    const answer = await host.session.request('skills/list', cursor === undefined ? {} : { cursor })
    entries.push(...z.array(Entry).parse(answer['skills']))
    if (typeof answer['nextCursor'] !== 'string') break
    cursor = answer['nextCursor']
    nextPage(host.guard, seen, cursor, entries.length)
    seen.add(cursor)
  }
  return entries
}

/** A skill that is known by its URI alone: being unlisted proves nothing (H14), but only this makes it a skill (H3). */
async function get(host: Host, uri: string): Promise<Entry> {
  const { skill } = await host.session.request('skills/get', { uri })
  return Entry.parse(skill)
}

async function useOne(host: Host, entry: Entry, until: Until): Promise<Ended> {
  const { uri, frontmatter } = entry
  const ended = { uri, name: frontmatter.name }
  let skill: HeldSkill | undefined
  try {
    refuseLocal(host.guard, uri)
    checkName(host.guard, frontmatter.name)
    const items = checkManifest(host.guard, uri, entry.resources)
    const held = { uri, name: frontmatter.name, frontmatter, items, markdownLimit: limitsOfSkill.bytes }
    if (!host.approved(held)) return { ...ended, outcome: 'not-approved' }
    skill = held
    if (!host.guard.on(lazy)) await prefetch(host, held)
    if (until === 'approval') return { ...ended, outcome: 'approved' }
    const text = await host.load(held)
    await act(host, held, text)
    host.settle()
    return { ...ended, outcome: 'used', folder: host.folderOf(held) }
  } catch (error) {
    if (skill !== undefined) host.drop(skill)
    return { ...ended, outcome: 'refused', ...reasonOf(error) }
  }
}

/** What H19 forbids. */
async function prefetch(host: Host, skill: HeldSkill): Promise<void> {
  if (skill.items !== 'dynamic') for (const { uri } of skill.items) await host.open(skill, uri, 'text')
}
