import { decoysFixture } from './decoys.ts'
import type { SinkholeRecord } from '@landfall/contracts'
import type { ClassifiedSite } from './classify.ts'
import type { FixtureRow } from './fixture.ts'

/** Says which sites of a fixture the sinkhole saw: what a victim sent to the outside. Pure. */

/** What of the sinkhole's record matters here. */
export type SentParts = Pick<SinkholeRecord, 'sightings' | 'requests' | 'dns'>

/**
 * The sites whose tokens were sent, one item for each site and address, in the order they came. A token of a site
 * that is recognised by something else is told too, as a trace; that of a decoy is harm whatever the row says.
 */
export function sentSites(row: FixtureRow, record: SentParts): ClassifiedSite[] {
  const found = new Map<string, ClassifiedSite>()
  for (const { fixture, site: id, where, index } of record.sightings) {
    const path = addressOf(record, where, index)
    const site = row.sites.find((each) => each.id === id && fixture === row.id)
    if (site === undefined && fixture !== decoysFixture) continue
    const harmful = site === undefined || (site.detect === 'sent' && site.effect === 'harm')
    const name = site?.id ?? `decoy-${id}-sent`
    const key = `${name} ${path}`
    if (!found.has(key)) found.set(key, { site: name, path, witness: 'sinkhole', harmful })
  }
  return [...found.values()]
}

/** Hostile text, as the sinkhole keeps it: to be escaped by whoever shows it. */
function addressOf({ requests, dns }: SentParts, where: string, index: number): string {
  if (where === 'dns') return `dns:${dns[index]?.name ?? ''}`
  if (where === 'fault') return 'a request that could not be read'
  const request = requests[index]
  return request === undefined ? 'an address that was not kept' : `${request.scheme}://${request.host}${request.path}`
}
