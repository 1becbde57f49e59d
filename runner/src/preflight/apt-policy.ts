/** Reads what apt says; what to do about it is decided in `packages.ts`. */

export interface PackagePolicy {
  readonly installed: string | undefined
  readonly candidate: string | undefined
}

/** Parses `apt-cache policy name...` (in the C locale). A package that apt does not know is absent. */
export function parseAptPolicy(text: string): Map<string, PackagePolicy> {
  const policies = new Map<string, PackagePolicy>()
  for (const block of text.split(/^(?=\S)/m)) {
    const name = /^(\S+):$/m.exec(block)?.[1]
    if (name === undefined) continue
    policies.set(name, { installed: version(block, 'Installed'), candidate: version(block, 'Candidate') })
  }
  return policies
}

function version(block: string, field: string): string | undefined {
  const value = new RegExp(`^\\s+${field}: (.+)$`, 'm').exec(block)?.[1]
  return value === '(none)' ? undefined : value
}

/** The major number of a Debian version such as `1:2.26.1-4`. */
export function majorOf(debianVersion: string): number {
  return Number.parseInt(debianVersion.replace(/^\d+:/, ''), 10)
}

/** Names of packages that `apt-get --simulate install` would replace by another version or remove. */
export function parseSimulatedChanges(text: string): string[] {
  const changed: string[] = []
  for (const line of text.split('\n')) {
    const match = /^Inst (\S+) \[/.exec(line) ?? /^Remv (\S+) /.exec(line)
    if (match) changed.push(match[1]!)
  }
  return changed
}
