export interface OsRelease {
  /** `ID`, for example `debian`. */
  readonly id: string
  readonly like: readonly string[]
  /** `VERSION_CODENAME`, empty where there is none. */
  readonly codename: string
  readonly prettyName: string
}

/** Parses os-release(5): shell-like assignments, values perhaps in quotes. */
export function parseOsRelease(text: string): OsRelease {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const match = /^\s*([A-Z][A-Z0-9_]*)=(.*?)\s*$/.exec(line)
    if (match) fields.set(match[1]!, unquote(match[2]!))
  }
  const id = fields.get('ID') ?? 'linux'
  return {
    id,
    like: (fields.get('ID_LIKE') ?? '').split(' ').filter((word) => word !== ''),
    codename: fields.get('VERSION_CODENAME') ?? '',
    prettyName: fields.get('PRETTY_NAME') ?? id,
  }
}

function unquote(value: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(value)
  return quoted ? quoted[2]!.replace(/\\(["'$`\\])/g, '$1') : value
}
