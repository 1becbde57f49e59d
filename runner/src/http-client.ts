import { ControlError, LandfallError, parseAs } from '@landfall/contracts'
import type { z } from 'zod'
import { messageOf } from './engine.ts'

/**
 * The runner's side of the services' control interfaces: JSON in, a parsed value out.
 *
 * @throws LandfallError `service` when the service does not answer, or answers with an error.
 */
export async function requestJson<S extends z.ZodType>(
  base: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  schema: S,
  options: { body?: unknown; signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<z.output<S>> {
  const what = `${method} ${path}`
  const limit = AbortSignal.timeout(options.timeoutMs ?? 60_000)
  let response: Response
  let body: unknown
  try {
    response = await fetch(new URL(path, base), {
      method,
      signal: options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]),
      ...(options.body === undefined
        ? {}
        : { body: JSON.stringify(options.body), headers: { 'content-type': 'application/json' } }),
    })
    body = await response.json()
  } catch (cause) {
    throw new LandfallError('service', `no answer to ${what}: ${messageOf(cause)}`, { base, path }, { cause })
  }
  if (!response.ok) {
    const error = ControlError.safeParse(body)
    const message = error.success ? error.data.error.message : `HTTP ${response.status}`
    throw new LandfallError('service', `${what} was refused: ${message}`, { base, path, status: response.status })
  }
  return parseAs(schema, body, `the answer to ${what}`)
}
