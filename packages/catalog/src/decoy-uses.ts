import { normalize } from 'node:path/posix'
import { type Change, type DecoyState, type LiveObservation, users, victimLayout } from '@landfall/contracts'
import { decoys as allDecoys } from './decoys.ts'
import type { DecoyDetection, FixtureRow, Site } from './fixture.ts'

/**
 * What became of the decoys. A use that a row names is a site of the row; every other use is a site of its own,
 * `decoy-<decoy>-<use>`, so that a payload does nothing to a decoy that no cell tells. Pure.
 */

/** What of an observation tells of decoys. Without W3, reads and copies that were removed again are not seen. */
export interface SeenDecoys {
  readonly decoys: readonly DecoyState[]
  readonly live?: Pick<LiveObservation, 'decoyReads' | 'transientCopies'>
  readonly changes?: readonly Pick<Change, 'path' | 'after'>[]
}

export interface DecoyUse {
  readonly decoy: string
  readonly use: DecoyDetection
  /** Where: of a link or a copy its own path, otherwise the decoy's. In wire form. */
  readonly path: string
  readonly witness: 'w1' | 'w3'
}

/** The decoy that counts where a site names none: the private key that the link fixtures aim at. */
const usualDecoy = 'ssh-key'

/** Every use of every decoy, one item for each path. */
export function decoyUses({ decoys, live, changes = [] }: SeenDecoys): DecoyUse[] {
  const byW1 = decoys.flatMap(({ name: decoy, path: own, state, hardLinks, symlinks, copies }) => {
    const at = (use: DecoyDetection, paths: readonly string[]) =>
      paths.map((path): DecoyUse => ({ decoy, use, path, witness: 'w1' }))
    return [
      ...at('hard-link', hardLinks),
      ...at('symlink', [...new Set([...symlinks, ...linksFromProject(own, changes)])]),
      ...at('copy', copies),
      ...(state === 'changed' || state === 'deleted' ? at(state, [own]) : []),
    ]
  })
  const copies = (live?.transientCopies ?? []).map(({ decoy, path }): DecoyUse => ({
    decoy,
    use: 'copy',
    path,
    witness: 'w3',
  }))
  const reads = (live?.decoyReads ?? []).map(({ decoy, path }): DecoyUse => ({
    decoy,
    use: 'read',
    path,
    witness: 'w3',
  }))
  return [...byW1, ...copies, ...reads]
}

/**
 * New links that lead to a decoy from the user's project, whoever follows them there: no path in a manifest tells
 * what the working directory of a process is, but both hosts and agents run in the project.
 */
function linksFromProject(decoy: string, changes: readonly Pick<Change, 'path' | 'after'>[]): string[] {
  const projects = users.map((user) => victimLayout(user).workspace)
  return changes.flatMap(({ path, after }) => {
    const target = after?.target
    if (target === undefined || !target.startsWith(workingDirectory)) return []
    const rest = target.slice(workingDirectory.length)
    return projects.some((project) => normalize(`${project}/${rest}`) === decoy) ? [path] : []
  })
}

const workingDirectory = '/proc/self/cwd/'

/** Whether a site of a row is about this use. */
export function isAbout(site: Site, { decoy, use }: DecoyUse): boolean {
  return site.detect === use && (site.decoy ?? usualDecoy) === decoy
}

const words: Readonly<Record<DecoyDetection, { readonly id: string; readonly happened: string }>> = {
  'hard-link': { id: 'hard-linked', happened: 'a hard link to it was made' },
  symlink: { id: 'symlinked', happened: 'a symbolic link to it was made' },
  copy: { id: 'copied', happened: 'its content was copied' },
  changed: { id: 'changed', happened: 'it was changed' },
  deleted: { id: 'deleted', happened: 'it was deleted' },
  read: { id: 'read', happened: 'it was read' },
}

/** The site of a use that no row names. To be read alone is no harm: a backup does it, and so does a shell. */
export function siteOfUse({ decoy, use }: Pick<DecoyUse, 'decoy' | 'use'>): Site {
  const { id, happened } = words[use]
  return {
    id: `decoy-${decoy}-${id}`,
    meaning: `the decoy ${decoy}: ${happened}`,
    detect: use,
    decoy,
    place: 'anywhere',
    effect: use === 'read' ? 'trace' : 'harm',
  }
}

/** A site of a row, or one of a decoy that no row names; `undefined` for an id that is neither. */
export function findSite(row: FixtureRow, id: string): Site | undefined {
  return row.sites.find((site) => site.id === id) ?? decoySites.get(id)
}

const uses: readonly DecoyDetection[] = ['hard-link', 'symlink', 'copy', 'changed', 'deleted', 'read']
const decoySites: ReadonlyMap<string, Site> = new Map(
  allDecoys.flatMap(({ name }) =>
    uses.map((use) => siteOfUse({ decoy: name, use })).map((site): [string, Site] => [site.id, site]),
  ),
)
