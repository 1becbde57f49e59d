import type { Change, Processes } from '@landfall/contracts'

/**
 * Adds what the manifests say of inodes. A file that has several names may be an old one with a new name, so it
 * does not count: the number stays a lower bound.
 */
export function withNewInodes(processes: Processes, changes: readonly Change[]): Processes {
  const fresh = changes.filter(({ kind, after }) => {
    return kind === 'added' && after !== undefined && (after.type === 'directory' || after.links === 1)
  })
  return { ...processes, totals: { ...processes.totals, newInodes: fresh.length } }
}
