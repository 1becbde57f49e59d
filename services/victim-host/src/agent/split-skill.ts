import { parse } from 'yaml'

/** A SKILL.md in its two parts. */
export interface SkillText {
  /** Undefined when there is none, or when it is no YAML. */
  readonly frontmatter: unknown
  readonly body: string
  /** Number of the line, from 1, on which the body begins. */
  readonly firstLine: number
}

const fence = /^---[ \t]*$/

/** Never throws: a text without frontmatter is all body. */
export function splitSkill(text: string): SkillText {
  const lines = text.replace(/^\u{FEFF}/u, '').split(/\r?\n/)
  const end = fence.test(lines[0] ?? '') ? lines.findIndex((line, index) => index > 0 && fence.test(line)) : -1
  if (end < 0) return { frontmatter: undefined, body: lines.join('\n'), firstLine: 1 }
  return {
    frontmatter: parseYaml(lines.slice(1, end).join('\n')),
    body: lines.slice(end + 1).join('\n'),
    firstLine: end + 2,
  }
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent', maxAliasCount: 100 })
  } catch {
    return undefined
  }
}
