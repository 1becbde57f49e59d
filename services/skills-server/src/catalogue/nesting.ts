import type { ServedSkill } from './served.ts'

/** Which skills lie inside which others: every one below the path of another, at any depth, segment by segment. */
export function nestedSkills(skills: readonly ServedSkill[]): ReadonlyMap<ServedSkill, readonly ServedSkill[]> {
  const byPath = Map.groupBy(skills, ({ path }) => path)
  const nested = new Map<ServedSkill, ServedSkill[]>()
  for (const skill of skills) {
    for (const above of pathsAbove(skill.path)) {
      for (const outer of byPath.get(above) ?? []) nested.set(outer, [...(nested.get(outer) ?? []), skill])
    }
  }
  return nested
}

function pathsAbove(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
