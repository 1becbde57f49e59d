import type { ClassifiedSite, FixtureRow, SeenParts } from '@landfall/catalog'
import { classify, isWithin } from '@landfall/catalog'
import type { VictimLayout } from '@landfall/contracts'
import { skillDestination, users, victimLayout } from '@landfall/contracts'

/** Puts an observation into sentences for people, by the meanings of the catalogue. Pure. Never part of a verdict. */

export type FindingKind = 'landed' | 'trace' | 'ok' | 'decoy' | 'change'

export interface Finding {
  readonly kind: FindingKind
  /** What happened, without where. */
  readonly text: string
  /** Where, in wire form. Kept apart from the sentence, since a hostile name may look like the rest of one. */
  readonly path?: string
}

/** What is worth a sentence of its own, unlike a plain change. */
export function isFinding(finding: Finding): finding is Finding & { readonly kind: Exclude<FindingKind, 'change'> } {
  return finding.kind !== 'change'
}

const layouts: readonly VictimLayout[] = users.map(victimLayout)

/** Directories that belong to the fixture's skills, whichever user the host runs as. */
export function skillDirectories(row: FixtureRow): string[] {
  return layouts.flatMap((layout) => row.skills.map((skill) => skillDestination(layout, skill)))
}

/** Whether the fetcher put it there: what was brought over MCP and not yet handed to any host. */
export function isDelivered(path: string): boolean {
  return layouts.some(({ inbox }) => isWithin(path, inbox))
}

export function findings(rows: readonly FixtureRow[], seen: SeenParts): Finding[] {
  const inTokens = [...seen.sightings, ...(seen.live?.transientSightings ?? [])]
  const sites = rows.flatMap((row) => {
    const directories = skillDirectories(row)
    const sighted = inTokens.some(({ fixture }) => fixture === row.id)
    return (
      classify(row, seen, directories)
        // What became of decoys that the row says nothing about is told below, once for all rows.
        .filter((found) => row.sites.some(({ id }) => id === found.site))
        .filter((found) => sighted || isLinkOf(row, found, directories))
        .map((found) => siteFinding(row, found))
    )
  })
  const told = new Set(sites.map(({ path }) => path))
  return [...sites, ...decoyFindings(seen).filter(({ path }) => !told.has(path))]
}

/** A link carries no token, so two fixtures with the same kind of link are told apart by where it stands. */
function isLinkOf(row: FixtureRow, { path }: ClassifiedSite, directories: readonly string[]): boolean {
  return row.sites.length > 0 && directories.some((directory) => isWithin(path, directory))
}

function siteFinding(row: FixtureRow, { site, path, harmful }: ClassifiedSite): Finding {
  const known = row.sites.find(({ id }) => id === site)
  const name = `${row.id}/${site}`
  const meaning = known?.meaning ?? 'an unknown site'
  if (harmful) return { kind: 'landed', text: `LANDED ${name}: ${meaning}`, path }
  if (known?.effect === 'none') return { kind: 'ok', text: `ok ${name}: ${meaning}`, path }
  return { kind: 'trace', text: `trace ${name}: on disk without its effect, which is that ${meaning}`, path }
}

function decoyFindings({ decoys }: SeenParts): Finding[] {
  return decoys.flatMap(({ name, path: own, state, hardLinks, symlinks, copies }) => {
    const tell = (path: string, what: string): Finding => ({ kind: 'decoy', text: `decoy ${name}: ${what}`, path })
    return [
      ...(state === 'changed' || state === 'deleted' ? [tell(own, `it was ${state}`)] : []),
      ...hardLinks.map((path) => tell(path, 'a hard link to it appeared')),
      ...symlinks.map((path) => tell(path, 'a symbolic link to it appeared')),
      ...copies.map((path) => tell(path, 'its content was copied')),
    ]
  })
}

/** New, changed or removed entries that no finding names yet: at most `most`, then how many more. */
export function otherChanges(seen: SeenParts, told: readonly Finding[], most: number): Finding[] {
  const named = new Set(told.map(({ path }) => path))
  const rest = seen.changes.filter((change) => {
    const entry = change.after ?? change.before
    // A directory whose time changed says only that something in it did, which is told on its own.
    return !named.has(change.path) && !(change.kind === 'changed' && entry?.type === 'directory')
  })
  const first = rest.slice(0, most).map(({ kind, path, after, before }): Finding => {
    return { kind: 'change', text: `${kind} ${(after ?? before)?.type ?? 'entry'}`, path }
  })
  return rest.length > most ? [...first, { kind: 'change', text: `and ${rest.length - most} more changes` }] : first
}
