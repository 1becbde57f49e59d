import { askedSites, classify, type ClassifiedSite, findSite, sentSites } from '@landfall/catalog'
import type { SeenSite } from '@landfall/contracts'
import type { TrialEvidence } from './evidence.ts'

/** Puts together what each witness saw: W1 and W3 in the victim, the sinkhole outside of it, the server's log. Pure. */

/** Every site that was seen, and by whom. Nothing here weighs a witness against another: what one saw was there. */
export function seenSites({
  fixture,
  observation,
  skillDirectories,
  keptElsewhere,
  sinkhole,
  access,
}: TrialEvidence): SeenSite[] {
  const sent = sinkhole === undefined || 'gone' in sinkhole ? [] : sentSites(fixture, sinkhole)
  return [
    ...classify(fixture, observation, skillDirectories, keptElsewhere),
    ...sent,
    ...askedSites(fixture, access),
  ].map(toSeen)
}

const toSeen = ({ site, path, witness, harmful }: ClassifiedSite): SeenSite => ({ site, path, witness, harmful })

/** Where in a trial's folder the evidence of a witness stands, and how it is called in a sentence. */
const witnesses: Readonly<Record<SeenSite['witness'], string>> = {
  w1: 'W1, the manifests',
  w2: 'W2, the engine',
  w3: 'W3, the live events',
  sinkhole: 'the sinkhole',
  'access-log': "the server's access log",
}

export const witnessName = ({ witness }: SeenSite): string => witnesses[witness]

/** What it means that a site was seen, as a clause without a full stop. */
export function meaningOf({ fixture }: Pick<TrialEvidence, 'fixture'>, id: string): string {
  const known = findSite(fixture, id)?.meaning
  const sent = /^decoy-(.+)-sent$/.exec(id)?.[1]
  return known ?? (sent === undefined ? id : `the decoy ${sent} was sent to the outside`)
}
