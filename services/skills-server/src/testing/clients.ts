import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
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

/** Where a client finds its server: an address, or a program that it starts and talks to over stdio. */
export type Target = string | StdioTarget

export interface StdioTarget {
  readonly args: string[]
  readonly env: Record<string, string>
}

/** The server's own program, over stdio. */
export function stdioTarget(args: readonly string[], env: Record<string, string> = {}): StdioTarget {
  const main = join(import.meta.dirname, '..', 'main.ts')
  return { args: [main, '--stdio', ...args], env: { LOG_LEVEL: 'silent', ...env } }
}

/** The largest fixture is 16 MiB, which is more than either SDK takes in one message over stdio by default. */
const maxBufferSize = 64 * 1024 * 1024

function stdioParameters({ args, env }: StdioTarget) {
  return { command: process.execPath, args, env, stderr: 'ignore' as const, maxBufferSize }
}

function oldTransport(target: Target) {
  return typeof target === 'string' ? new OldTransport(new URL(target)) : new OldStdioTransport(stdioParameters(target))
}

function newTransport(target: Target) {
  return typeof target === 'string'
    ? new StreamableHTTPClientTransport(new URL(target))
    : new StdioClientTransport(stdioParameters(target))
}

export async function connect(kind: ClientKind, target: Target): Promise<TestClient> {
  const identity = { name: clientName, version: '1.0.0' }
  if (kind === 'v1') {
    const client = new OldClient(identity)
    await client.connect(oldTransport(target))
    return {
      request: async (method, params) => await client.request({ method, params }, Any),
      extensions: () => client.getServerCapabilities()?.extensions,
      [Symbol.asyncDispose]: async () => await client.close(),
    }
  }
  const modes = { 'v2 pinned': { pin: '2026-07-28' }, 'v2 auto': 'auto', 'v2 legacy': 'legacy' } as const
  const client = new Client(identity, { versionNegotiation: { mode: modes[kind] } })
  await client.connect(newTransport(target))
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
