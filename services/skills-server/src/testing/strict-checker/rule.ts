/**
 * One rule of the fact sheet as a client can check it. Server rules (`S`, `iS`) are broken by the server; the
 * others (`H`, `iH`, `T`) name what a host has to be on its guard against, and are "broken" where that is there.
 */
export interface Rule<S> {
  readonly id: string
  /** Evidence, one line for each place where the rule is broken; none where it holds. Pure. */
  readonly broken: (survey: S) => readonly string[]
}

/** The evidence for each rule that is broken, by the id of the rule. */
export type Report = Readonly<Record<string, readonly string[]>>

export function check<S>(rules: readonly Rule<S>[], survey: S): Report {
  const found = rules.map(({ id, broken }) => [id, broken(survey)] as const)
  return Object.fromEntries(found.filter(([, evidence]) => evidence.length > 0))
}

/** `line` where `bad` holds. */
export function when(bad: boolean, line: string): string[] {
  return bad ? [line] : []
}
