import { z } from 'zod'
import { legacyRequest, modernRequest } from '../requests.ts'
import type { Answer } from './survey.ts'

/** Single requests over HTTP, without any client in between that could mend or hide an answer. */
export type Ask = (method: string, params?: Readonly<Record<string, unknown>>) => Promise<Answer>

const Message = z.union([
  z.object({ result: z.record(z.string(), z.unknown()) }),
  z.object({ error: z.object({ code: z.int() }) }),
])

export function askOver(url: string, era: 'modern' | 'legacy'): Ask {
  const write = era === 'modern' ? modernRequest : legacyRequest
  return async (method, params = {}) => {
    const response = await fetch(url, write(method, params))
    const message = Message.parse(JSON.parse(bodyOf(await response.text())))
    return 'result' in message ? message : { error: message.error.code }
  }
}

/** The legacy era answers with a stream of one event. */
function bodyOf(text: string): string {
  return /^data: (.*)$/m.exec(text)?.[1] ?? text
}
