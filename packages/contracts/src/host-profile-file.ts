import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { LandfallError } from './errors.ts'
import { commandPlaceholders, HostProfile } from './host.ts'

/**
 * Reads one host profile file. A file that does not parse is refused with its line, since whoever adds a
 * host writes nothing but this file.
 *
 * An entry of its own: the main entry of this package must not load a YAML parser.
 */

/** What the schema alone cannot say: one command per format, and no misspelt placeholder. */
const CheckedProfile = HostProfile.superRefine((profile, context) => {
  profile.install.forEach((step, index) => {
    const first = profile.install.findIndex(({ format }) => format === step.format)
    if (first < index) {
      const message = `format ${step.format} has a command already`
      context.addIssue({ code: 'custom', path: ['install', index, 'format'], message })
    }
    for (const [position, argument] of step.run.entries()) {
      for (const name of unknownPlaceholders(argument)) {
        const message = `unknown placeholder {${name}}, known are ${commandPlaceholders.map((known) => `{${known}}`).join(', ')}`
        context.addIssue({ code: 'custom', path: ['install', index, 'run', position], message })
      }
    }
  })
})

// A word in braces after a dollar sign is a variable of a shell, not ours.
function unknownPlaceholders(argument: string): string[] {
  const names = [...argument.matchAll(/(?<!\$)\{([a-z]+)\}/g)].flatMap(([, name]) => name ?? [])
  return names.filter((name) => !(commandPlaceholders as readonly string[]).includes(name))
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
