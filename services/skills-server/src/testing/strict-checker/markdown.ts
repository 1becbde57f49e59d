import { parse } from 'yaml'
import { z } from 'zod'
import type { Fields } from './survey.ts'

/** The frontmatter of a SKILL.md as a strict host reads it (iH8, H18): apart from the server's own reader on purpose. */
const Yaml = z.record(z.string(), z.json())

export function frontmatterIn(markdown: Buffer): Fields | undefined {
  const yaml = /^---\n(.*?\n)---(?:\n|$)/s.exec(markdown.toString('utf8'))?.[1]
  if (yaml === undefined) return undefined
  try {
    return Yaml.safeParse(parse(yaml, { schema: 'core', logLevel: 'error' })).data
  } catch {
    return undefined
  }
}

/** S4, iS1: a name and a description. */
export function isComplete(frontmatter: Fields | undefined): boolean {
  const texts = [frontmatter?.['name'], frontmatter?.['description']]
  return texts.every((text) => typeof text === 'string' && text.trim() !== '')
}

/** Fields that ask for rights (H27, iH13). */
export function grants(frontmatter: Fields | undefined): string[] {
  return Object.keys(frontmatter ?? {}).filter((field) => ['allowed-tools', 'permissions'].includes(field))
}

/** URIs of other servers that a text sends its reader to (H26, iH12). */
export function foreignUris(text: string, own: ReadonlySet<string>): string[] {
  return [...text.matchAll(/\bskill:\/\/([^/\s`'")>]+)[^\s`'")>]*/g)].flatMap(([uri, authority = '']) =>
    own.has(authority) ? [] : [uri],
  )
}
