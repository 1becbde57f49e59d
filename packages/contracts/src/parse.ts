import type { z } from 'zod'
import { LandfallError } from './errors.ts'

/**
 * Parses a value at a boundary. `what` names the thing in the error.
 *
 * @throws LandfallError `invalid`, with one line per mismatch in the message and in `data.issues`.
 */
export function parseAs<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.message,
  }))
  const lines = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  throw new LandfallError('invalid', `${what} is not as expected: ${lines.join('; ')}`, { issues })
}
