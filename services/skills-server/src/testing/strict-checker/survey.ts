import { digestOf } from '../../catalogue/digest.ts'
import type { UnpackedEntry } from '../unpack.ts'

/**
 * What a client sees of a server of skills in one revision: nothing but answers, as they came. The rules of the
 * strict checker look at this and at nothing else.
 */
export type Fields = Readonly<Record<string, unknown>>

/** The answer to one request: its result, or its JSON-RPC error code. */
export type Answer = { readonly result: Fields } | { readonly error: number }

/** One answer to `resources/read`. */
export interface Content {
  readonly mimeType: unknown
  /** `sha256:` and 64 lower-case hex digits, of what came. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
  /** The first bytes, at most 1 MiB. */
  readonly head: Buffer
}

/** Enough for any text that a rule reads, and little enough to keep for every file. */
const headLimit = 1024 * 1024

/** A copy of the head, so that the rest can go. */
export function measured(bytes: Buffer): Pick<Content, 'digest' | 'size' | 'head'> {
  return { digest: digestOf(bytes), size: bytes.length, head: Buffer.from(bytes.subarray(0, headLimit)) }
}

export type Read = Content | { readonly error: number }

/** A listing that was followed page by page. */
export interface Listing {
  readonly answers: readonly Answer[]
  /** Of all pages; of the first page alone where the listing does not end, because nobody takes more of such a one. */
  readonly items: readonly Fields[]
  readonly ends: boolean
}

export interface Survey {
  readonly capabilities: Fields
  readonly resources: Listing
  /** Both reads of every URI that anything names, one right after the other. */
  readonly reads: ReadonlyMap<string, readonly Read[]>
  /** Every directory that was found by walking down from a skill. */
  readonly directories: ReadonlyMap<string, Listing>
  /** Answers to requests that have to be refused, by what was asked for. */
  readonly refusals: readonly Refusal[]
  /** Names of skills that this host already knows from other origins. */
  readonly known: readonly string[]
}

export interface Refusal {
  readonly method: string
  readonly why: 'unknown' | 'not-a-directory'
  readonly answer: Answer
}

export interface StableSurvey extends Survey {
  readonly list: Listing
  /** `skills/get` for every skill that is listed, and for every SKILL.md that is a resource. */
  readonly got: ReadonlyMap<string, Answer>
}

export interface IndexSurvey extends Survey {
  /** The document at `skill://index.json`; `undefined` when there is none, or none that is JSON. */
  readonly index: unknown
  /** What is in each archive that the index names and that could be opened. */
  readonly archives: ReadonlyMap<string, readonly ArchiveEntry[]>
}

export type ArchiveEntry = Omit<UnpackedEntry, 'content'> & Pick<Content, 'digest' | 'size' | 'head'>

export function contentsIn(survey: Survey, uri: string): Content[] {
  return (survey.reads.get(uri) ?? []).filter((read) => 'digest' in read)
}

/** What the first read answered: what a client holds against the entry when it loads a skill. */
export function firstContent(survey: Survey, uri: string): Content | undefined {
  const [first] = survey.reads.get(uri) ?? []
  return first !== undefined && 'digest' in first ? first : undefined
}
