import type { Guard, Rule } from '../rule.ts'

/** How much of a listing the host takes. */

export const pageCap: Rule = {
  id: 'T6-pages',
  clauses: [],
  says: 'A listing has at most 32 pages and 4,096 entries, and no cursor twice.',
}

export const mostPages = 32
export const mostEntries = 4096

export function nextPage(guard: Guard, seen: ReadonlySet<string>, cursor: string, entries: number): void {
  guard.hold(pageCap, !seen.has(cursor), 'the listing states a cursor again', { cursor })
  guard.hold(pageCap, seen.size + 1 < mostPages, `the listing has more than ${mostPages} pages`)
  guard.hold(pageCap, entries <= mostEntries, `the listing has more than ${mostEntries} entries`)
}
