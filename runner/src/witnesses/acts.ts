import { decoys } from '@landfall/catalog'
import { deriveToken, type KnownActs, victimLayout } from '@landfall/contracts'

/** What the lab does itself in one victim of each run, and the tokens by which each witness must tell of it. Pure. */
export interface KnownDoings {
  readonly acts: KnownActs
  readonly tokens: readonly { readonly token: string; readonly fixture: string; readonly site: string }[]
  /** Name and path of the decoy that is read. */
  readonly decoy: { readonly name: string; readonly path: string }
}

/** Stands for the fixture of this victim. */
export const actsFixture = 'lab-acts'

/** One site for each thing that a witness can recognise by its token. */
export const actSites = ['stays', 'passes', 'http', 'https', 'dns'] as const
export type ActSite = (typeof actSites)[number]

const readDecoy = 'dotenv'
/** Any name resolves to the sinkhole. */
const outside = 'witnesses.landfall.test'

/** @param outsideWorld whether the lab has a sinkhole to send something to. */
export function knownDoings(canary: string, outsideWorld: boolean): KnownDoings {
  const { home, workspace } = victimLayout('agent')
  const token = (site: ActSite) => deriveToken(canary, actsFixture, site)
  const decoy = decoys.find(({ name }) => name === readDecoy)
  if (decoy === undefined) throw new Error(`there is no decoy ${readDecoy}`)
  const path = `${home}/${decoy.path}`
  return {
    acts: {
      stays: { path: `${workspace}/stays.txt`, text: `${token('stays')}\n` },
      passes: { path: `${workspace}/passes-${token('passes')}.txt`, text: `${token('passes')}\n` },
      reads: path,
      requests: outsideWorld ? [`http://${outside}/${token('http')}`, `https://${outside}/${token('https')}`] : [],
      lookups: outsideWorld ? [`${token('dns')}.${outside}`] : [],
      process: { mark: `act-${canary.slice(0, 16)}`, seconds: 1 },
    },
    tokens: actSites.map((site) => ({ token: token(site), fixture: actsFixture, site })),
    decoy: { name: decoy.name, path },
  }
}
