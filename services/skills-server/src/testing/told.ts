import type { FixturePayload, Pager } from '../catalogue/served.ts'
import { contentsOf } from '../catalogue/contents.ts'
import { bothRevisions } from '../catalogue/view.ts'
import type { Revision } from '@landfall/contracts'

/**
 * For tests: everything of a fixture that reaches a client outside of archives in some revisions, whatever is read
 * how often.
 */
export function toldBytes(payload: FixturePayload, revisions: readonly Revision[] = bothRevisions): Buffer[] {
  const { resources, directories, listed, got, listing } = contentsOf([payload], revisions)
  const contents = [...resources.values()].flatMap(({ uri, bytes, reads = [] }) => [Buffer.from(uri), bytes, ...reads])
  const stated = { directories: [...directories], listed, got: [...got], listing, pages: firstPages(payload, listed) }
  return [...contents, Buffer.from(JSON.stringify(stated))]
}

/** A few pages of each listing that lies about its pages. */
function firstPages({ pages }: FixturePayload, honest: readonly unknown[]): unknown[] {
  return [walk(pages?.skills, honest), walk(pages?.directory, []), walk(pages?.resources, [])]
}

function walk<Item>(pager: Pager<Item> | undefined, honest: readonly Item[]): unknown[] {
  if (pager === undefined) return []
  const told: unknown[] = []
  let cursor: string | undefined
  for (let count = 0; count < 4; count += 1) {
    const page = pager(cursor, honest)
    told.push(page)
    if (page.nextCursor === undefined) break
    cursor = page.nextCursor
  }
  return told
}
