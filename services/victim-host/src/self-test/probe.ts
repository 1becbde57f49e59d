/** One question that a self-test asks. `detail` says what was found, whichever way it went. */
export interface Probe {
  readonly probe: string
  readonly passed: boolean
  readonly detail: string
}

export function probe(name: string, passed: boolean, detail: string): Probe {
  return { probe: name, passed, detail }
}

/** The code of an error of the operating system, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
