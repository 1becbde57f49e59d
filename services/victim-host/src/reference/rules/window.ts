import type { Guard, Rule } from '../rule.ts'

/** What may be read while a skill is acted on. */

export const heldEntry: Rule = {
  id: 'H17',
  clauses: ['iH7-files'],
  says: 'While acting, only files that the held entry states are read; any other one is a failed verification.',
}

export const listingAddsNothing: Rule = {
  id: 'H21',
  clauses: [],
  says: 'A child that only a directory listing names is neither read nor shown.',
}

export const lazy: Rule = {
  id: 'H19',
  clauses: [],
  says: 'Nothing is read on connecting, listing or approving but SKILL.md; a file is read when it is needed.',
}

export const relative: Rule = {
  id: 'H33',
  clauses: [],
  says: 'A relative reference counts from the directory of the SKILL.md that makes it.',
}

export const whole: Rule = {
  id: 'whole',
  clauses: ['S26'],
  says: 'A skill of which one part fails is not kept: no half of it stays on disk.',
}

export function mayRead(guard: Guard, uri: string, stated: ReadonlySet<string>, seenIn: 'text' | 'listing'): void {
  if (seenIn === 'listing')
    guard.hold(listingAddsNothing, stated.has(uri), `only a listing names ${uri}: changed, needs a new approval`, {
      uri,
    })
  guard.hold(heldEntry, stated.has(uri), `the held entry does not state ${uri}`, { uri })
}

/** The URI of a reference in a text of the skill. */
export function resolveReference(guard: Guard, reference: string, markdownUri: string): string {
  const base = guard.on(relative) ? markdownUri.slice(0, markdownUri.lastIndexOf('/') + 1) : 'skill://'
  return (
    base +
    reference
      .split('/')
      .map((segment) => encodeURIComponent(segment))
      .join('/')
  )
}
