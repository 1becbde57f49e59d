import { z } from 'zod'
import { frontmatterIn } from './markdown.ts'
import type { Fields, StableSurvey } from './survey.ts'
import { firstContent } from './survey.ts'
import { isBelow, parentOf, schemeOf } from './uris.ts'

/** The entries of the stable revision as rules look at them: every skill once, whether it is listed or only got. */
export interface Entry {
  readonly raw: Fields
  readonly uri: string
  readonly root: string
  /** What the entry says. */
  readonly frontmatter: Fields
  readonly resources: unknown
  /** Of `resources`, where it is an array. */
  readonly items: readonly Item[] | undefined
  /** What SKILL.md says; `undefined` where it cannot be read. */
  readonly document: Fields | undefined
  readonly nested: boolean
}

export interface Item {
  readonly uri: string
  readonly digest: unknown
  readonly size: unknown
}

const Raw = z.looseObject({ uri: z.string(), frontmatter: z.record(z.string(), z.unknown()) })
const Items = z.array(z.object({ uri: z.string(), digest: z.unknown(), size: z.unknown() }))

export function entriesOf(survey: StableSurvey): Entry[] {
  const got = [...survey.got.values()].map((answer) => ('result' in answer ? answer.result['skill'] : undefined))
  const byUri = new Map<string, z.infer<typeof Raw>>()
  for (const each of [...survey.list.items, ...got]) {
    const { data } = Raw.safeParse(each)
    if (data !== undefined && !byUri.has(data.uri)) byUri.set(data.uri, data)
  }
  const roots = [...byUri.keys()].map(parentOf)
  return [...byUri.values()].map((raw) => {
    const root = parentOf(raw.uri)
    const content = firstContent(survey, raw.uri)
    return {
      raw,
      uri: raw.uri,
      root,
      frontmatter: raw.frontmatter,
      resources: raw['resources'],
      items: Items.safeParse(raw['resources']).data,
      document: content === undefined ? undefined : frontmatterIn(content.head),
      nested: roots.some((other) => other !== root && isBelow(`${root}/`, other)),
    }
  })
}

/** Items of every entry that has a manifest, with the entry. */
export function statedIn(entries: readonly Entry[]): { readonly entry: Entry; readonly item: Item }[] {
  return entries.flatMap((entry) => (entry.items ?? []).map((item) => ({ entry, item })))
}

/** Files of the skill's directory that the server has, and that a manifest should therefore state (S13, H17). */
export function servedFiles(survey: StableSurvey, { root }: Entry): string[] {
  return [...survey.reads.keys()].filter((uri) => isBelow(uri, root) && firstContent(survey, uri) !== undefined)
}

/** Whether directories can be expected of it: this server has none under a `file:` URI. */
export function hasDirectories({ uri }: Entry): boolean {
  return schemeOf(uri) !== 'file'
}
