import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { failureOf, NoAnswer, TooLarge } from '../mcp/answer.ts'
import { type Declared, mayCall } from './rules/capability.ts'
import type { Guard } from './rule.ts'

const Capabilities = z.looseObject({ extensions: z.record(z.string(), z.unknown()).optional() })
const Extension = z.looseObject({ directoryRead: z.boolean().optional() })
const Answer = z.looseObject({})

/** No answer of any kind may be larger, whatever the rules: it would not fit into memory. */
const mostAnswerBytes = 64 * 1024 * 1024

const connectMs = 20_000
/** How long an answer is awaited. */
const usualLimitMs = 20_000

/** A connection to one server, by the SDK. What the server says of itself is no name: the host gives it a label. */
export class Session implements AsyncDisposable {
  readonly label: string
  readonly capability: Declared
  readonly #client: Client
  readonly #guard: Guard
  readonly #limitMs: number

  private constructor(label: string, client: Client, capability: Declared, guard: Guard, limitMs: number) {
    this.label = label
    this.#client = client
    this.capability = capability
    this.#guard = guard
    this.#limitMs = limitMs
  }

  /** @throws NoAnswer when there is no server, or none that speaks MCP. */
  static async connect(label: string, url: URL, guard: Guard, limitMs = usualLimitMs): Promise<Session> {
    const client = new Client(
      { name: 'landfall-reference', version: '0.1.0' },
      { versionNegotiation: { mode: 'auto' } },
    )
    try {
      await client.connect(new StreamableHTTPClientTransport(url, { fetch: cappedFetch }), { timeout: connectMs })
    } catch (cause) {
      // Whatever a server says before there is a connection, it is not about a skill.
      throw new NoAnswer(`connecting failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
    const { extensions = {} } = Capabilities.parse(client.getServerCapabilities() ?? {})
    const declared = extensions['io.modelcontextprotocol/skills']
    const { data } = Extension.safeParse(declared)
    const capability: Declared = data?.directoryRead === undefined ? data && {} : { directoryRead: data.directoryRead }
    return new Session(label, client, capability, guard, limitMs)
  }

  /** @throws ServerFault when the server answers with an error; NoAnswer when it does not answer; Refusal when the host may not ask. */
  async request(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> {
    mayCall(this.#guard, method, this.capability)
    try {
      return await this.#client.request({ method, params }, Answer, { timeout: this.#limitMs })
    } catch (cause) {
      throw failureOf(method, cause)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close()
  }
}

async function cappedFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.body === null) return response
  let size = 0
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > mostAnswerBytes) controller.error(new TooLarge(`an answer of more than ${mostAnswerBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(cap), { status, statusText, headers })
}
