import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { z } from 'zod'

/** For tests: the clients that people have, of both SDK lines, brought to one shape. */
export const clientKinds = ['v2 pinned', 'v2 auto', 'v2 legacy', 'v1'] as const
export type ClientKind = (typeof clientKinds)[number]

export interface Content {
  readonly mimeType: string | undefined
  readonly bytes: Buffer
}

export interface TestClient extends AsyncDisposable {
  /** The whole answer, for a look at its other fields. */
  readonly request: (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>
  readonly extensions: () => unknown
}

export const clientName = 'test-client'
const Any = z.looseObject({})
const Contents = z.tuple([
  z.object({ mimeType: z.string().optional(), text: z.string().optional(), blob: z.string().optional() }),
])

export async function connect(kind: ClientKind, url: string): Promise<TestClient> {
  const identity = { name: clientName, version: '1.0.0' }
  if (kind === 'v1') {
    const client = new OldClient(identity)
    await client.connect(new OldTransport(new URL(url)))
    return {
      request: async (method, params) => await client.request({ method, params }, Any),
      extensions: () => client.getServerCapabilities()?.extensions,
      [Symbol.asyncDispose]: async () => await client.close(),
    }
  }
  const modes = { 'v2 pinned': { pin: '2026-07-28' }, 'v2 auto': 'auto', 'v2 legacy': 'legacy' } as const
  const client = new Client(identity, { versionNegotiation: { mode: modes[kind] } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return {
    request: async (method, params) => await client.request({ method, params }, Any),
    extensions: () => client.getServerCapabilities()?.extensions,
    [Symbol.asyncDispose]: async () => await client.close(),
  }
}

export async function read(client: TestClient, uri: string): Promise<Content> {
  const [{ mimeType, text, blob }] = Contents.parse((await client.request('resources/read', { uri })).contents)
  return { mimeType, bytes: blob === undefined ? Buffer.from(text ?? '') : Buffer.from(blob, 'base64') }
}
