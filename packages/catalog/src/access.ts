import type { AccessEntry } from '@landfall/contracts'
import type { ClassifiedSite } from './classify.ts'
import type { FixtureRow } from './fixture.ts'

/**
 * Says which sites of a fixture a trial's access log shows: a host that asks for what it has no business with
 * (H19, H21) or that never stops asking (T6) leaves nothing on disk. Pure.
 */

/**
 * The sites of `row` that `access` shows, one item each, in the order of the catalogue. The path is the URI that
 * was asked for, or the method where the site names none.
 */
export function askedSites(row: FixtureRow, access: readonly AccessEntry[]): ClassifiedSite[] {
  return row.sites.flatMap((site) => {
    const { asked } = site
    if (asked === undefined) return []
    const { method, uris, times } = asked
    const hits = access.filter((entry) => entry.method === method && (uris?.includes(entry.uri ?? '') ?? true))
    const [first] = hits
    if (first === undefined || hits.length < times) return []
    return [{ site: site.id, path: first.uri ?? method, witness: 'access-log', harmful: site.effect === 'harm' }]
  })
}
