import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Rule } from './rule.ts'
import { when } from './rule.ts'
import type { Answer, Refusal, StableSurvey } from './survey.ts'
import { codesOf } from './shared-rules.ts'

/** How the methods of the stable revision answer: S1 to S3, S20 to S25, S28, S30. */
const invalidParams = -32602
const methodNotFound = -32601
const internalError = -32603

const Cached = z.object({ ttlMs: z.int().nonnegative(), cacheScope: z.enum(['public', 'private']) })
const Declared = z.looseObject({
  resources: z.looseObject({}),
  extensions: z.looseObject({ 'io.modelcontextprotocol/skills': z.looseObject({}) }),
})

export const stableMethodRules: readonly Rule<StableSurvey>[] = [
  {
    id: 'S1',
    broken: ({ list, got, refusals }) => {
      const answers = [...list.answers, ...got.values(), ...answersTo(refusals, 'skills/get', 'unknown')]
      return answers.filter((answer) => isError(answer, methodNotFound)).map(() => 'a declared method is missing')
    },
  },
  {
    id: 'S2',
    broken: ({ refusals }) =>
      answersTo(refusals, 'resources/directory/read', 'unknown')
        .filter((answer) => isError(answer, methodNotFound))
        .map(() => 'directories cannot be read'),
  },
  {
    id: 'S3',
    broken: ({ capabilities }) => when(!Declared.safeParse(capabilities).success, 'resources are not declared'),
  },
  { id: 'S20', broken: ({ list }) => incomplete(list.answers, 'skills/list') },
  { id: 'S21', broken: ({ list }) => uncached(list.answers, 'skills/list') },
  {
    id: 'S22',
    broken: ({ list }) => {
      const uris = list.items.map(({ uri }) => uri)
      return uris.filter((uri, index) => uris.indexOf(uri) !== index).map((uri) => `listed twice: ${String(uri)}`)
    },
  },
  {
    id: 'S23',
    broken: ({ list, got }) =>
      list.items.flatMap((entry) => {
        const answer = got.get(String(entry['uri']))
        const same = answer !== undefined && 'result' in answer && isDeepStrictEqual(answer.result['skill'], entry)
        return when(!same, `not the same entry: ${String(entry['uri'])}`)
      }),
  },
  { id: 'S24', broken: ({ refusals }) => notRefused(answersTo(refusals, 'skills/get', 'unknown')) },
  {
    id: 'S25',
    broken: ({ got }) => {
      const answers = [...got.values()]
      const paged = answers.filter((answer) => 'result' in answer && 'nextCursor' in answer.result)
      return [
        ...incomplete(answers, 'skills/get'),
        ...uncached(answers, 'skills/get'),
        ...paged.map(() => 'skills/get with a cursor'),
      ]
    },
  },
  {
    id: 'S28',
    broken: ({ refusals }) =>
      notRefused([
        ...answersTo(refusals, 'resources/directory/read', 'unknown'),
        ...answersTo(refusals, 'resources/directory/read', 'not-a-directory'),
      ]),
  },
  {
    id: 'S30',
    broken: (survey) =>
      [...codesOf(survey), ...[...survey.got.values(), ...survey.list.answers].flatMap(codeOf)]
        .filter((code) => code === internalError)
        .map(() => 'an internal error'),
  },
]

function codeOf(answer: Answer): number[] {
  return 'error' in answer ? [answer.error] : []
}

function answersTo(refusals: readonly Refusal[], method: string, why: Refusal['why']): Answer[] {
  return refusals.filter((refusal) => refusal.method === method && refusal.why === why).map(({ answer }) => answer)
}

function isError(answer: Answer, code: number): boolean {
  return 'error' in answer && answer.error === code
}

function notRefused(answers: readonly Answer[]): string[] {
  return answers.filter((answer) => !isError(answer, invalidParams)).map(() => 'not refused with -32602')
}

function incomplete(answers: readonly Answer[], method: string): string[] {
  return answers
    .filter((answer) => 'result' in answer && answer.result['resultType'] !== 'complete')
    .map(() => `${method} without resultType`)
}

function uncached(answers: readonly Answer[], method: string): string[] {
  return answers
    .filter((answer) => 'result' in answer && !Cached.safeParse(answer.result).success)
    .map(() => `${method} without ttlMs and cacheScope`)
}
