import { field } from '../field.ts'
import { sameName, collisions } from './collisions.ts'
import type { Guard, Rule } from '../rule.ts'

/** What an entry of the stable revision must be before anything of it is used. */

export const hasResources: Rule = {
  id: 'H12',
  clauses: ['S12'],
  says: 'An entry without an array of resources or the word dynamic is invalid.',
}

export const digestForm: Rule = {
  id: 'S16',
  clauses: [],
  says: 'A digest is sha256: and 64 lower-case hex digits.',
}

export const statedOnce: Rule = {
  id: 'S13',
  clauses: [],
  says: 'Each file is stated once, SKILL.md among them.',
}

export const insideSkill: Rule = {
  id: 'S14',
  clauses: [],
  says: 'Every item lies in the directory of the skill, however its URI is spelt.',
}

export const limits: Rule = {
  id: 'H13',
  clauses: ['S19'],
  says: 'At most 512 files and 16 MiB; up to and including that a skill is taken.',
}

export interface Item {
  readonly uri: string
  readonly digest: string
  /** Absent in the index revision, which states none. */
  readonly size?: number
}

export const limitsOfSkill = { files: 512, bytes: 16 * 1024 * 1024 } as const

/** @returns the items; `dynamic` for generated content, and for an entry that states nothing while H12 is off. */
export function checkManifest(guard: Guard, uri: string, resources: unknown): readonly Item[] | 'dynamic' {
  guard.hold(hasResources, Array.isArray(resources) || resources === 'dynamic', 'the entry states no resources', {
    uri,
  })
  if (!Array.isArray(resources)) return 'dynamic'
  const items = resources.map((item: unknown) => readItem(guard, item))
  const bytes = items.reduce((sum, { size = 0 }) => sum + size, 0)
  guard.hold(limits, items.length <= limitsOfSkill.files, `the skill has ${items.length} files`, { uri })
  guard.hold(limits, bytes <= limitsOfSkill.bytes, `the skill has ${bytes} bytes`, { uri })
  const uris = items.map((item) => item.uri)
  guard.hold(
    statedOnce,
    new Set(uris).size === uris.length && uris.includes(uri),
    'a file is stated twice, or SKILL.md is not',
    { uri },
  )
  const root = uri.slice(0, uri.lastIndexOf('/') + 1)
  for (const item of uris)
    guard.hold(insideSkill, liesIn(item, root), `${item} is not in the skill's directory`, { uri: item })
  const twins = collisions([...new Set(uris)].map((item) => decoded(item.slice(root.length))))
  guard.hold(sameName, twins.length === 0, `names that are one on some file systems: ${twins.join(', ')}`, { uri })
  return items
}

function readItem(guard: Guard, item: unknown): Item {
  const [uri, digest, size] = [field(item, 'uri'), field(item, 'digest'), field(item, 'size')]
  guard.hold(digestForm, /^sha256:[0-9a-f]{64}$/.test(String(digest)), `${String(digest)} is no digest`, { uri })
  return { uri: String(uri), digest: String(digest).toLowerCase(), size: Number(size) }
}

/** Encoded dots, slashes and backslashes count as what they stand for. */
function liesIn(uri: string, root: string): boolean {
  if (!uri.startsWith(root)) return false
  return decoded(uri.slice(root.length))
    .split(/[/\\]/)
    .every((segment) => !['', '.', '..'].includes(segment))
}

/** As a host would that makes a path of a URI. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
