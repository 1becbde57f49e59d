import { isUtf8 } from 'node:buffer'
import { LandfallError, parseAs } from '@landfall/contracts'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Frontmatter } from '../catalogue/served.ts'

/**
 * Reads the frontmatter of a SKILL.md that somebody else wrote (S4, iS1): verbatim, every field, as JSON.
 */

/** iS3, S6: 1 to 64 characters, lower case, digits and single hyphens, none at the ends. */
const SkillName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'expected lower-case letters and digits joined by single hyphens')

/** What JSON can hold: no infinity, no date, nothing that would be another value on the wire. */
const Fields = z.record(z.string(), z.json())
const Named = z.looseObject({ name: SkillName, description: z.string().regex(/\S/, 'expected some text') })

/** A byte order mark in front and line ends of either kind are what editors leave. */
const fence = /^\uFEFF?---[ \t]*\r?\n(.*?\r?\n|)---[ \t]*(?:\r?\n|$)/s

export interface Markdown {
  readonly fields: Readonly<Record<string, unknown>>
  /** What follows the frontmatter. */
  readonly body: string
}

/** @throws LandfallError `invalid` that says what is wrong, without naming a file. */
export function parseFrontmatter(markdown: Buffer): Frontmatter {
  return parseAs(Named, splitMarkdown(markdown).fields, 'The frontmatter')
}

/** A SKILL.md in its two parts, whatever its fields are. @throws LandfallError `invalid`, without naming a file. */
export function splitMarkdown(markdown: Buffer): Markdown {
  if (!isUtf8(markdown)) throw new LandfallError('invalid', 'SKILL.md is not UTF-8')
  const text = markdown.toString('utf8')
  const [whole, yaml] = fence.exec(text) ?? []
  if (whole === undefined || yaml === undefined) {
    throw new LandfallError('invalid', 'SKILL.md does not begin with frontmatter')
  }
  return { fields: parseAs(Fields, parseYaml(yaml), 'The frontmatter'), body: text.slice(whole.length) }
}

function parseYaml(yaml: string): unknown {
  try {
    // Core schema: dates stay text and `yes` stays a word, as hosts that compare field by field expect.
    return parse(yaml, { schema: 'core', version: '1.2', uniqueKeys: true, logLevel: 'error', prettyErrors: false })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new LandfallError('invalid', `The frontmatter is not YAML: ${reason}`, {}, { cause })
  }
}
