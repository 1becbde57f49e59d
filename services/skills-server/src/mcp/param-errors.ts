import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { z } from 'zod'

/**
 * The SDK answers parameters of core methods that it cannot read with -32603 and a list of issues as the
 * message. They are the caller's fault, for which JSON-RPC has -32602, as the SDK itself answers elsewhere.
 */
const Issues = z.array(z.object({ path: z.tuple([z.literal('params')], z.union([z.string(), z.number()])) })).min(1)

const internalError: number = ProtocolErrorCode.InternalError

/** The same message, or with the error that it should have been. */
export function blameCaller(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== internalError) return message
  const fields = fieldsOf(message.error.message)
  if (fields === undefined) return message
  const error = { code: ProtocolErrorCode.InvalidParams, message: `Invalid params: ${fields.join(', ')}` }
  return { ...message, error }
}

/** Where the issues are; `undefined` when the text is no list of issues about `params`. */
function fieldsOf(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined
  try {
    return Issues.parse(JSON.parse(text)).map(({ path }) => path.join('.').slice(0, 100))
  } catch {
    return undefined
  }
}
