import { z } from 'zod'
import type { Answer, Content, Fields, IndexSurvey, Listing, Read, StableSurvey } from './survey.ts'
import { measured } from './survey.ts'

/** Changes of an honest survey, for the test that every rule finds what it is about. Pure. */
const Items = z.array(z.record(z.string(), z.unknown()))

type AnySurvey = StableSurvey | IndexSurvey

export function result(fields: Fields): Answer {
  return { result: fields }
}

export function without(fields: Fields, key: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([each]) => each !== key))
}

/** The result of an answer changed; an error stays what it is. */
export function answered(answer: Answer, change: (fields: Fields) => Fields): Answer {
  return 'result' in answer ? result(change(answer.result)) : answer
}

export function listAnswers(survey: StableSurvey, change: (fields: Fields) => Fields): StableSurvey {
  return { ...survey, list: { ...survey.list, answers: survey.list.answers.map((one) => answered(one, change)) } }
}

export function gotAnswers(survey: StableSurvey, change: (fields: Fields) => Fields): StableSurvey {
  return { ...survey, got: new Map([...survey.got].map(([uri, one]) => [uri, answered(one, change)])) }
}

/** The entry of one skill, changed alike in the list and in what is got. */
export function entry(survey: StableSurvey, uri: string, change: (fields: Fields) => Fields): StableSurvey {
  const items = survey.list.items.map((item) => (item['uri'] === uri ? change(item) : item))
  const skill = items.find((item) => item['uri'] === uri)
  const got = [...survey.got].map(([key, answer]) => {
    return [key, key === uri ? answered(answer, (fields) => ({ ...fields, skill })) : answer] as const
  })
  return { ...survey, list: { ...survey.list, items }, got: new Map(got) }
}

/** The manifest of one skill, changed. */
export function manifest(
  survey: StableSurvey,
  uri: string,
  change: (items: readonly Fields[]) => readonly Fields[],
): StableSurvey {
  return entry(survey, uri, (item) => ({ ...item, resources: change(Items.parse(item['resources'])) }))
}

/** A file whose bytes are others, and every item for it says so. */
export function rewritten(survey: StableSurvey, uri: string, text: string): StableSurvey {
  const { digest, size } = measured(Buffer.from(text))
  const restated = survey.list.items.reduce<StableSurvey>(
    (sum, item) =>
      manifest(sum, String(item['uri']), (items) =>
        items.map((one) => (one['uri'] === uri ? { ...one, digest, size } : one)),
      ),
    survey,
  )
  return read(restated, uri, text)
}

/** A file whose bytes are others, and nothing says so. */
export function read<S extends AnySurvey>(survey: S, uri: string, text: string): S {
  const content: Content = { mimeType: 'text/markdown', ...measured(Buffer.from(text)) }
  return reads(survey, uri, [content, content])
}

export function reads<S extends AnySurvey>(survey: S, uri: string, both: readonly Read[]): S {
  return { ...survey, reads: new Map([...survey.reads, [uri, both]]) }
}

/** The item of one resource in `resources/list`, changed. */
export function resource<S extends AnySurvey>(survey: S, uri: string, change: (item: Fields) => Fields): S {
  const items = survey.resources.items.map((item) => (item['uri'] === uri ? change(item) : item))
  return { ...survey, resources: { ...survey.resources, items } }
}

export function refused<S extends AnySurvey>(survey: S, method: string, code: number): S {
  const refusals = survey.refusals.map((each) => (each.method === method ? { ...each, answer: { error: code } } : each))
  return { ...survey, refusals }
}

export function directory<S extends AnySurvey>(survey: S, uri: string, listing: Listing): S {
  return { ...survey, directories: new Map([...survey.directories, [uri, listing]]) }
}

/** The first entry of the index, changed, and no other. */
export function indexed(survey: IndexSurvey, change: (item: Fields) => Fields): IndexSurvey {
  const [first = {}] = z.object({ skills: Items }).parse(survey.index).skills
  return { ...survey, index: { skills: [change(first)] } }
}

/** Every URI that starts with `from` starts with `to`, everywhere in the survey. */
export function moved<S extends AnySurvey>(survey: S, from: string, to: string): S {
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return value.startsWith(from) ? to + value.slice(from.length) : value
    if (Array.isArray(value)) return value.map(deep)
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
    if (value instanceof Map) return new Map([...value].map(([key, one]) => [deep(key), deep(one)]))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deep(one)]))
  }
  return z.custom<S>().parse(deep(survey))
}
