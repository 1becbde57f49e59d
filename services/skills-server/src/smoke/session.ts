import type { Era } from '@landfall/contracts'
import type { FetchLike } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'

/** One connection of the v2 client to the server under test, in one era. */
export interface Session extends AsyncDisposable {
  readonly era: Era
  readonly capabilities: () => unknown
  /** The whole answer. Rejects with the client's own error, whose `code` is the server's where it sent one. */
  readonly request: (method: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>>
}

/** How the server is reached. */
export type Target =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[]; readonly env: Environment }
  | { readonly kind: 'http'; readonly url: URL; readonly fetch?: FetchLike }

type Environment = Readonly<Record<string, string>>
export type OpenSession = (era: Era) => Promise<Session>

/** Bytes of one answer: the largest file that is served, as base64. The client's own limit is 10 MiB. */
const maxBufferSize = 96 * 1024 * 1024
const modes = { modern: { pin: '2026-07-28' }, legacy: 'legacy' } as const
const Anything = z.looseObject({})

export function opener(target: Target): OpenSession {
  return async (era) => {
    const client = new Client(
      { name: 'landfall-smoke', version: '1.0.0' },
      { versionNegotiation: { mode: modes[era] } },
    )
    await client.connect(transportTo(target))
    return {
      era,
      capabilities: () => client.getServerCapabilities(),
      request: async (method, params = {}) => await client.request({ method, params }, Anything),
      [Symbol.asyncDispose]: async () => await client.close(),
    }
  }
}

function transportTo(target: Target) {
  if (target.kind === 'stdio') {
    const { command, args, env } = target
    return new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'inherit', maxBufferSize })
  }
  return new StreamableHTTPClientTransport(target.url, target.fetch === undefined ? {} : { fetch: target.fetch })
}

const Coded = z.object({ code: z.number() })

/** The JSON-RPC code with which the server refuses a request, `undefined` when it answers. */
export async function refusal(session: Session, method: string, uri: string): Promise<number | undefined> {
  try {
    await session.request(method, { uri })
    return undefined
  } catch (error) {
    const coded = Coded.safeParse(error)
    if (coded.success) return coded.data.code
    throw error
  }
}
