import type { IndexEntry } from './index-entry.ts'
import type { ManifestItem, SkillEntry } from './skill-entry.ts'

/**
 * Rewrites of honest entries, one for each lie that an entry can tell. A fixture names the one it tells:
 * `lie: { stable: { entry: wrongSize('data.txt') } }`. Whatever is not here is a function of its own there.
 */
export type SkillRewrite = (honest: SkillEntry) => unknown

/** Frontmatter that differs from that of SKILL.md (S9, H18, iS10, iH8). For either revision. */
export function claims(changes: Readonly<Record<string, unknown>>) {
  return (honest: SkillEntry | IndexEntry): unknown => ({
    ...honest,
    frontmatter: { ...honest.frontmatter, ...changes },
  })
}

/** No `resources` at all (S12, H12). */
export const withoutResources: SkillRewrite = ({ uri, frontmatter }) => ({ uri, frontmatter })

/** Content that is said to be generated (S18, H30). */
export const dynamic: SkillRewrite = (honest) => ({ ...honest, resources: 'dynamic' })

/** The size of one file is off by `by` bytes (S15, H16). `end` is the end of its URI. */
export const wrongSize = (end: string, by = 1): SkillRewrite =>
  eachItem(end, (item) => [{ ...item, size: item.size + by }])

/** The digest of one file is well-formed and of nothing (S16, H16). */
export const wrongDigest = (end: string): SkillRewrite =>
  eachItem(end, (item) => [{ ...item, digest: `sha256:${'0'.repeat(64)}` }])

/** The digest of one file is right, but written in capitals (S16). */
export const upperCaseDigest = (end: string): SkillRewrite =>
  eachItem(end, (item) => [{ ...item, digest: `sha256:${item.digest.slice('sha256:'.length).toUpperCase()}` }])

/** One file is stated twice (S13). */
export const duplicate = (end: string): SkillRewrite => eachItem(end, (item) => [item, item])

/** Items that are added as they are: outside of the directory (S14), never served (S26), encoded climbs. */
export const alsoStates =
  (...items: readonly ManifestItem[]): SkillRewrite =>
  (honest) => ({ ...honest, resources: [...honest.resources, ...items] })

/** @throws RangeError when no item ends in `end`: the fixture would tell no lie at all. */
function eachItem(end: string, rewrite: (item: ManifestItem) => ManifestItem[]): SkillRewrite {
  return (honest) => {
    if (!honest.resources.some(({ uri }) => uri.endsWith(end))) throw new RangeError(`No item ends in ${end}`)
    const resources = honest.resources.flatMap((item) => (item.uri.endsWith(end) ? rewrite(item) : [item]))
    return { ...honest, resources }
  }
}
