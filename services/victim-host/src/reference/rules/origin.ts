import type { Guard, Rule } from '../rule.ts'

/** Where a read may lead: to the server of the skill, and nowhere else. */

export const boundToOrigin: Rule = {
  id: 'H26',
  clauses: ['iH12'],
  says: 'A read is bound to the server of the skill; another origin needs an approval of its own that names both.',
}

export const noResolution: Rule = {
  id: 'H2',
  clauses: ['iH1'],
  says: 'The authority of a URI is a name, never looked up in a network.',
}

export const noLocalScheme: Rule = {
  id: 'T5-scheme',
  clauses: [],
  says: 'A URI of the scheme file, in whatever spelling, is none that a server can serve.',
}

/** The scheme, not a prefix: `file:/x` has no authority and is a file all the same (RFC 8089). */
export function refuseLocal(guard: Guard, uri: string): void {
  guard.hold(noLocalScheme, !/^\s*file:/i.test(uri), 'the URI is one of a local file', { uri })
}

/** Whether `uri` belongs to the authority and path of the skill's own directory `root` (which ends in a slash). */
export const isWithin = (uri: string, root: string): boolean => uri.startsWith(root)

/** @param approved whether the user has approved this very read. */
export function mayCross(guard: Guard, uri: string, from: string, approved: boolean): void {
  guard.hold(boundToOrigin, approved, `a skill of ${from} asks for ${uri}, which is not its server's`, { uri, from })
  guard.hold(noResolution, false, `reading ${uri} would look its authority up`, { uri })
}
