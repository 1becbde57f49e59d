import type { Era } from '@landfall/contracts'
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server'
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** What is worth knowing of one request and its answer. Texts of the client are cut to a fair length. */
export interface Exchange {
  readonly method: string
  readonly uri?: string
  /** The client's own name, where the request states it: every modern request, of the legacy ones `initialize`. */
  readonly client?: string
  /** Absent outside of MCP. */
  readonly era?: Era
  /** Outside of MCP: the answer held a part of a skill. */
  readonly payload?: true
  /** Bytes of content in the answer, before base64 and JSON. */
  readonly bytes: number
  /** JSON-RPC error code, or outside of MCP the status, when the answer is an error. */
  readonly error?: number
}

const maxTextLength = 512

const Named = z.object({ name: z.string() })
const Params = z.object({
  uri: z.string().optional().catch(undefined),
  clientInfo: Named.optional().catch(undefined),
  _meta: z
    .object({ [CLIENT_INFO_META_KEY]: Named.optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

export function describeRequest({ method, params }: JSONRPCRequest): Pick<Exchange, 'method' | 'uri' | 'client'> {
  const known = Params.safeParse(params).data
  const client = (known?._meta?.[CLIENT_INFO_META_KEY] ?? known?.clientInfo)?.name
  return {
    method: clip(method),
    ...(known?.uri === undefined ? {} : { uri: clip(known.uri) }),
    ...(client === undefined ? {} : { client: clip(client) }),
  }
}

const Contents = z.array(z.object({ text: z.string().optional(), blob: z.string().optional() }))

/** Bytes of content in an answer to `resources/read`; 0 for any other. */
export function contentBytes(message: JSONRPCMessage): number {
  if (!('result' in message)) return 0
  const contents = Contents.safeParse(message.result.contents).data ?? []
  return contents.reduce(
    (sum, { text, blob }) => sum + Buffer.byteLength(text ?? '', 'utf8') + Buffer.byteLength(blob ?? '', 'base64'),
    0,
  )
}

export function errorCode(message: JSONRPCMessage): number | undefined {
  return 'error' in message ? message.error.code : undefined
}

export function clip(text: string): string {
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`
}
