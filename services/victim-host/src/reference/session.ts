import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { type Declared, mayCall } from './rules/capability.ts'
import type { Guard } from './rule.ts'

/** A connection to one server, by the SDK. What the server says of itself is no name: the host gives it a label. */
export class ServerFault extends Error {}

const Capabilities = z.looseObject({ extensions: z.record(z.string(), z.unknown()).optional() })
const Extension = z.looseObject({ directoryRead: z.boolean().optional() })
const Answer = z.looseObject({})

/** No answer of any kind may be larger, whatever the rules: it would not fit into memory. */
const mostAnswerBytes = 64 * 1024 * 1024

export class Session implements AsyncDisposable {
  readonly label: string
  readonly capability: Declared
  readonly #client: Client
  readonly #guard: Guard

  private constructor(label: string, client: Client, capability: Declared, guard: Guard) {
    this.label = label
    this.#client = client
    this.capability = capability
    this.#guard = guard
  }

  static async connect(label: string, url: URL, guard: Guard): Promise<Session> {
    const client = new Client(
      { name: 'landfall-reference', version: '0.1.0' },
      { versionNegotiation: { mode: 'auto' } },
    )
    await client.connect(new StreamableHTTPClientTransport(url, { fetch: cappedFetch }), { timeout: 20_000 })
    const { extensions = {} } = Capabilities.parse(client.getServerCapabilities() ?? {})
    const declared = extensions['io.modelcontextprotocol/skills']
    const { data } = Extension.safeParse(declared)
    const capability: Declared = data?.directoryRead === undefined ? data && {} : { directoryRead: data.directoryRead }
    return new Session(label, client, capability, guard)
  }

  /** @throws ServerFault when the server answers with an error; Refusal when the host may not ask; else the SDK's error. */
  async request(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> {
    mayCall(this.#guard, method, this.capability)
    try {
      return await this.#client.request({ method, params }, Answer)
    } catch (cause) {
      // Only what the server has said is its fault; a connection that broke says nothing about a skill.
      if (!isAnswer(cause)) throw cause
      throw new ServerFault(`${method} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close()
  }
}

/** In the modern era an unknown method is an HTTP status, which the client does not turn into a protocol error. */
function isAnswer(cause: unknown): boolean {
  return cause instanceof ProtocolError || (cause instanceof Error && /\b404\b/.test(cause.message))
}

async function cappedFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.body === null) return response
  let size = 0
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > mostAnswerBytes) controller.error(new Error(`an answer of more than ${mostAnswerBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(cap), { status, statusText, headers })
}
