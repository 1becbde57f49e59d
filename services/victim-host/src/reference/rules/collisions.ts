import type { Rule } from '../rule.ts'

/** Names that are one where a file system folds them. */

export const sameName: Rule = {
  id: 'iH4.4',
  clauses: ['H8-paths'],
  says: 'No two paths are equal after Unicode normalisation and case folding, and no file has the name of a directory.',
}

const folded = (path: string): string => path.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase()

/** The paths that meet another one, as a file where another needs a directory, or as the same name. */
export function collisions(paths: readonly string[]): string[] {
  const seen = new Map<string, string>()
  const found: string[] = []
  for (const path of paths) {
    const key = folded(path.replace(/\/+$/, ''))
    if (seen.has(key)) found.push(path)
    seen.set(key, path)
  }
  const files = new Set(paths.filter((path) => !path.endsWith('/')).map(folded))
  for (const path of paths) {
    const above = folded(path).split('/').slice(0, -1)
    if (above.some((_, depth) => files.has(above.slice(0, depth + 1).join('/')))) found.push(path)
  }
  return [...new Set(found)]
}
