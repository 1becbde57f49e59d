/**
 * Derives the sources of one more Debian suite from the machine's own.
 *
 * Address and key are the ones this machine already uses and trusts; neither is known here.
 */

interface Source {
  readonly uri: string
  readonly suites: readonly string[]
  readonly signedBy: string | undefined
}

/** Parses both styles: deb822 stanzas (`*.sources`) and one-line entries (`*.list`). */
export function parseSources(text: string): Source[] {
  return /^(deb|deb-src)\s/m.test(text) ? parseOneLine(text) : parseDeb822(text)
}

function parseOneLine(text: string): Source[] {
  const sources: Source[] = []
  for (const line of text.split('\n')) {
    const match = /^deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)/.exec(line.trim())
    if (!match) continue
    const signedBy = /(?:^|\s)signed-by=(\S+)/i.exec(match[1] ?? '')?.[1]
    sources.push({ uri: match[2]!, suites: [match[3]!], signedBy })
  }
  return sources
}

function parseDeb822(text: string): Source[] {
  const sources: Source[] = []
  for (const stanza of text.split(/\n[ \t]*\n/)) {
    const fields = parseStanza(stanza)
    const uri = words(fields.get('uris'))[0]
    const enabled = fields.get('enabled')?.toLowerCase() !== 'no'
    if (uri === undefined || !enabled || !words(fields.get('types')).includes('deb')) continue
    sources.push({ uri, suites: words(fields.get('suites')), signedBy: fields.get('signed-by') })
  }
  return sources
}

function parseStanza(stanza: string): Map<string, string> {
  const fields = new Map<string, string>()
  let last = ''
  for (const line of stanza.split('\n')) {
    if (line.startsWith('#')) continue
    const match = /^([A-Za-z0-9-]+):[ \t]*(.*)$/.exec(line)
    if (match) {
      last = match[1]!.toLowerCase()
      fields.set(last, match[2]!.trim())
    } else if (last !== '' && line.trim() !== '') {
      // A key may stand in the file itself, as indented lines.
      fields.set(last, `${fields.get(last)}\n${line}`)
    }
  }
  return fields
}

function words(value: string | undefined): string[] {
  return (value ?? '').split(/\s+/).filter((word) => word !== '')
}

/** The text of a sources file for `suite`, beside `codename`; undefined when the machine has no such source. */
export function sourcesForSuite(texts: readonly string[], codename: string, suite: string): string | undefined {
  const own = texts.flatMap(parseSources).find((source) => source.suites.includes(codename))
  if (!own) return undefined
  const lines = ['Types: deb', `URIs: ${own.uri}`, `Suites: ${suite}`, 'Components: main']
  if (own.signedBy !== undefined) lines.push(`Signed-By: ${own.signedBy}`)
  return `${lines.join('\n')}\n`
}

/** Keeps every package where it is unless the suite is asked for by name. */
export function pinForSuite(suite: string): string {
  return `Package: *\nPin: release n=${suite}\nPin-Priority: 100\n`
}
