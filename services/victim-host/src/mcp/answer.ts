import {
  isJSONRPCErrorResponse,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client'

/**
 * Tells what a server has said from the want of an answer.
 *
 * Only an answer can be a reason to refuse a skill. A connection that broke, a service that is overloaded or down, a
 * proxy's page and a time limit say nothing about any skill: a host that took them for a refusal would look as if it
 * had resisted.
 */

/** The server has said no, or what it has said is not of the extension. */
export class ServerFault extends Error {}

/** There was no answer, or not a whole one. Ends the visit: nothing follows from it. */
export class NoAnswer extends Error {}

/** An answer that would not fit into memory. */
export class TooLarge extends Error {}

/** @returns what the error of a request means, with `what` was asked in its message. */
export function failureOf(what: string, cause: unknown): ServerFault | NoAnswer {
  const message = `${what} failed: ${cause instanceof Error ? cause.message : String(cause)}`
  return isAnswer(cause) ? new ServerFault(message, { cause }) : new NoAnswer(message, { cause })
}

// Codes of the wire are numbers, which may be none that the client knows.
const internalError: number = ProtocolErrorCode.InternalError
const methodNotFound: number = ProtocolErrorCode.MethodNotFound
const ofAnswers: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  // A listing without an end, as the client counts.
  SdkErrorCode.ListPaginationExceeded,
])

function isAnswer(cause: unknown): boolean {
  if (cause instanceof TooLarge) return true
  // An internal error says that the server failed, whatever it was asked for.
  if (cause instanceof ProtocolError) return cause.code !== internalError
  if (cause instanceof SdkHttpError) return cause.status === 404 && isUnknownMethod(cause.data['text'])
  return cause instanceof SdkError && ofAnswers.has(cause.code)
}

/**
 * In the modern era an unknown method is HTTP 404 with a JSON-RPC error, which the client leaves as it came. Without
 * the id of a request it is about the address instead: nobody serves there any more.
 */
function isUnknownMethod(text: unknown): boolean {
  const message = typeof text === 'string' ? parsed(text) : undefined
  if (!isJSONRPCErrorResponse(message)) return false
  return message.error.code === methodNotFound && (message.id ?? null) !== null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
