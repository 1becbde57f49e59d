import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { LandfallError } from './errors.ts'
import { type CommandPlaceholder, HostProfile } from './host.ts'
import { type Channel, isFetched } from './words.ts'

/**
 * Reads one host profile file. A file that does not parse is refused with its line, since whoever adds a
 * host writes nothing but this file.
 *
 * An entry of its own: the main entry of this package must not load a YAML parser.
 */

/** What the schema alone cannot say: one command per format, a way in for every channel, no misspelt placeholder. */
const CheckedProfile = HostProfile.superRefine((profile, context) => {
  const add = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
  profile.install.forEach((step, index) => {
    const first = profile.install.findIndex(({ format }) => format === step.format)
    if (first < index) add(['install', index, 'format'], `format ${step.format} has a command already`)
  })
  profile.channels.forEach((channel, index) => {
    const speaksMcp = mcpChannels.has(channel)
    if (speaksMcp && profile.connect === undefined)
      add(['channels', index], `channel ${channel} needs a \`connect\` step`)
    if (isFetched(channel)) {
      if (!(profile.fetch ?? []).some((step) => step.channel === channel))
        add(['channels', index], `channel ${channel} needs a \`fetch\` step`)
    } else if (!speaksMcp && profile.install.length === 0)
      add(['channels', index], `channel ${channel} needs an \`install\` step`)
  })
  for (const { path, run, known } of commandsOf(profile)) {
    for (const [position, argument] of run.entries()) {
      for (const name of unknownPlaceholders(argument, known)) {
        const words = known.map((word) => `{${word}}`).join(', ')
        add([...path, position], `unknown placeholder {${name}}, known here are ${words}`)
      }
    }
  }
})

const mcpChannels: ReadonlySet<string> = new Set<Channel>(['mcp-index', 'mcp-stable'])

const anywhere: readonly CommandPlaceholder[] = ['home', 'shims']
const delivered: readonly CommandPlaceholder[] = ['archive', 'dest', 'stage', 'skill', ...anywhere]

interface ProfileCommand {
  /** Its place in the file. */
  readonly path: (string | number)[]
  readonly run: readonly string[]
  /** What can be filled in there. */
  readonly known: readonly CommandPlaceholder[]
}

function commandsOf(profile: HostProfile): ProfileCommand[] {
  const single = (name: 'connect' | 'update' | 'run' | 'uninstall', known: readonly CommandPlaceholder[]) => {
    const step = profile[name]
    return step === undefined ? [] : [{ path: [name, 'run'], run: step.run, known }]
  }
  return [
    { path: ['version'], run: profile.version, known: anywhere },
    ...profile.install.map(({ run }, index) => ({ path: ['install', index, 'run'], run, known: delivered })),
    ...(profile.fetch ?? []).map(({ run }, index) => ({
      path: ['fetch', index, 'run'],
      run,
      known: ['url', 'skill', ...anywhere] as const,
    })),
    ...single('connect', ['url', 'revision', ...anywhere]),
    ...single('update', [...delivered, 'url', 'revision']),
    ...single('run', ['dest', 'skill', ...anywhere]),
    ...single('uninstall', ['dest', 'skill', ...anywhere]),
  ]
}

// A word in braces after a dollar sign is a variable of a shell, not ours.
function unknownPlaceholders(argument: string, known: readonly string[]): string[] {
  const names = [...argument.matchAll(/(?<!\$)\{([a-z]+)\}/g)].flatMap(([, name]) => name ?? [])
  return names.filter((name) => !known.includes(name))
}

/**
 * Parses and checks a host profile.
 *
 * @param fileName only for the messages, and in `data.file`.
 * @throws LandfallError `invalid`; every line of the message is `file:line:column: what is wrong`, and
 * `data` holds `file`, `line` (of the first, from 1) and `issues`.
 */
export function parseHostProfile(text: string, fileName: string): HostProfile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true })
  if (document.errors.length > 0) {
    throw invalid(
      fileName,
      lines,
      document.errors.map(({ message, pos }) => ({ message, offset: pos[0] })),
    )
  }
  const result = CheckedProfile.safeParse(document.toJS())
  if (result.success) return result.data
  const problems = result.error.issues.flatMap((issue) => {
    // An unknown key is reported at the map that holds it; the reader wants the key's own line.
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    return paths.map((path) => ({
      offset: offsetOf(document.contents, path),
      message: issue.code === 'unrecognized_keys' ? `${path.join('.')}: unknown key` : messageOf(path, issue),
    }))
  })
  throw invalid(fileName, lines, problems)
}

function messageOf(path: readonly PropertyKey[], { message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`
}

/** Where the value at `path` begins, or its nearest parent that exists. */
function offsetOf(root: unknown, path: readonly PropertyKey[]): number {
  let node = root
  let offset = 0
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key)
      if (!isScalar(pair?.key)) break
      offset = pair.key.range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node) && typeof key === 'number') {
      node = node.items[key]
      if (!isScalar(node) && !isMap(node) && !isSeq(node)) break
      offset = node.range?.[0] ?? offset
    } else {
      break
    }
  }
  return offset
}

function invalid(file: string, lines: LineCounter, problems: { message: string; offset: number }[]): LandfallError {
  const issues = problems.map(({ message, offset }) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1), message }
  })
  const text = issues.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n')
  return new LandfallError('invalid', text, { file, line: issues[0]?.line, issues })
}
