import {
  type Change,
  type HostProfile,
  type Observation,
  skillDestination,
  type VictimLayout,
} from '@landfall/contracts'

/** The directories that belong to these skills by their bare names: the host's own, else where it was told to install. */
export function namedDirectories(
  { places }: Pick<HostProfile, 'places'>,
  layout: VictimLayout,
  skills: readonly string[],
): string[] {
  return skills.flatMap(
    (skill) =>
      places?.map((place) => place.replace('{home}', layout.home).replaceAll('{skill}', skill)) ?? [
        skillDestination(layout, skill),
      ],
  )
}

/**
 * The directories in which a host keeps its skills in this victim: those of its patterns (`keeps`, `scratch`) that
 * something new lies in, in wire form. Pure. A star stands for one name, or a part of it, and never for a path.
 */
export function keptDirectories(
  { keeps, scratch = [] }: Pick<HostProfile, 'keeps' | 'scratch'>,
  home: string,
  changes: readonly Pick<Change, 'path'>[],
): string[] {
  const match = matcher([...keeps, ...scratch], home)
  return [...new Set(changes.flatMap(({ path }) => match(path)))]
}

/**
 * What was seen, without what was there only for a moment and only where the host unpacks before it decides. What came
 * out of there is seen elsewhere. Pure.
 */
export function withoutScratch(
  observation: Observation,
  { scratch = [] }: Pick<HostProfile, 'scratch'>,
  home: string,
): Observation {
  if (scratch.length === 0) return observation
  const match = matcher(scratch, home)
  const outside = ({ path }: { readonly path: string }) => match(path).length === 0
  const { live } = observation
  return {
    ...observation,
    live: {
      ...live,
      transientSightings: live.transientSightings.filter(outside),
      transientCopies: live.transientCopies.filter(outside),
    },
  }
}

/** Gives the directory of each pattern that a path is, or lies in. */
function matcher(patterns: readonly string[], home: string): (path: string) => string[] {
  const split = patterns.map((pattern) => pattern.replace('{home}', home).split('/'))
  return (path) => {
    const parts = path.split('/')
    return split.flatMap((pattern) => {
      const matches = parts.length >= pattern.length && pattern.every((part, index) => matchesName(part, parts[index]))
      return matches ? [parts.slice(0, pattern.length).join('/')] : []
    })
  }
}

function matchesName(pattern: string, name: string | undefined): boolean {
  if (name === undefined) return false
  if (pattern === '*') return name !== ''
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return name === first
  return (
    others.length === 0 && name.length >= first.length + last.length && name.startsWith(first) && name.endsWith(last)
  )
}
