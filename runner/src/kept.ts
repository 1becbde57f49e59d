import type { Change, HostProfile } from '@landfall/contracts'

/**
 * The directories in which a host keeps its skills in this victim: those of its patterns (`keeps`) that something new
 * lies in, in wire form. Pure. A star stands for one name and never for a path.
 */
export function keptDirectories(
  { keeps }: Pick<HostProfile, 'keeps'>,
  home: string,
  changes: readonly Pick<Change, 'path'>[],
): string[] {
  const patterns = keeps.map((keep) => keep.replace('{home}', home).split('/'))
  const found = changes.flatMap(({ path }) => {
    const parts = path.split('/')
    return patterns.flatMap((pattern) => {
      const matches =
        parts.length >= pattern.length && pattern.every((part, index) => part === '*' || part === parts[index])
      return matches ? [parts.slice(0, pattern.length).join('/')] : []
    })
  })
  return [...new Set(found)]
}
