import type { ControlError } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts'
import { z } from 'zod'

/**
 * What an error looks like from outside: JSON, never HTML, and never a stack, a path or the text of an
 * error that was not meant for the caller.
 */
export interface HttpError {
  readonly status: number
  readonly body: ControlError
}

/** Errors of the HTTP framework carry the status they ask for. */
const Framework = z.object({ status: z.int().min(400).max(499) })

const statusOf = { invalid: 400, unknown: 404, machine: 503 } as const

export function toHttpError(error: unknown): HttpError {
  if (error instanceof LandfallError && isCallersFault(error.code)) {
    const status = error.data.reason === 'duplicate' ? 409 : statusOf[error.code]
    return { status, body: { error: { code: error.code, message: error.message, data: { ...error.data } } } }
  }
  const framework = Framework.safeParse(error).data
  if (framework !== undefined)
    return { status: framework.status, body: controlError('invalid', reasons[framework.status]) }
  return { status: 500, body: controlError('service', 'Internal error') }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  413: 'The body is too large',
  415: 'The body is in a form that is not understood',
}

export function controlError(code: string, message = 'The request is not acceptable'): ControlError {
  return { error: { code, message } }
}

/** A JSON-RPC error outside any request, for paths of the MCP port that lead nowhere (fact sheet A4). */
export function rpcError(code: number, message: string) {
  return { jsonrpc: '2.0', error: { code, message }, id: null }
}

function isCallersFault(code: string): code is keyof typeof statusOf {
  return code in statusOf
}
