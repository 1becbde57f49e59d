import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Catalogue } from './catalogue/catalogue.ts'
import type { McpEndpoint } from './mcp/endpoint.ts'
import { createEndpoint } from './mcp/endpoint.ts'
import { collectGarbage, heapMiB } from './testing/memory.ts'
import { legacyRequest, modernRequest } from './testing/requests.ts'
import { startTestService } from './testing/service.ts'

/**
 * 100,000 requests with hostile URIs, cursors, params and headers: never an answer of 500, never an internal
 * error, never anything but JSON, and no growth. Most go to the handler itself, where a socket adds nothing.
 */
const address = 'http://127.0.0.1/mcp'
const methods = [
  'skills/list',
  'skills/get',
  'resources/list',
  'resources/read',
  'resources/directory/read',
  'resources/templates/list',
  'tools/list',
  'tools/call',
  'prompts/get',
  'server/discover',
  'initialize',
  'ping',
]
const segments = [
  '..',
  '.',
  '%2e%2e',
  '..%2f',
  '%00',
  '\0',
  '\\',
  'SKILL.md',
  'a',
  'demo',
  '',
  ' ',
  '\u202e',
  'é',
  'e\u0301',
]
const uri = fc.oneof(
  fc.constantFrom('skill://demo/SKILL.md', 'skill://demo', 'skill://demo/', 'skill://index.json', 'file:///etc/passwd'),
  fc
    .tuple(fc.constantFrom('skill://', 'SKILL://', 'file:', 'http://', ''), fc.array(fc.constantFrom(...segments)))
    .map(([scheme, path]) => scheme + path.join('/')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.nat(10_000).map((length) => `skill://${'a'.repeat(length)}`),
  fc.webUrl(),
)
const cursor = fc.oneof(fc.string(), fc.base64String(), fc.nat().map(String), fc.constantFrom('MTAwIHNraWxscw', ''))
const params = fc.record({ uri, cursor, name: fc.string(), arguments: fc.anything() }, { requiredKeys: [] })
const method = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...methods) }, { weight: 1, arbitrary: fc.string() })
const header = fc.tuple(
  fc.constantFrom(
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    'accept',
    'mcp-session-id',
    'content-type',
    'last-event-id',
  ),
  fc.stringMatching(/^[\x21-\x7e]{0,40}$/),
)
const body = fc.oneof(
  fc.json(),
  fc.string(),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
)

interface Attempt {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string
}

const shaped = fc.tuple(fc.constantFrom(modernRequest, legacyRequest), method, params).map(([request, name, given]) => {
  // What JSON cannot hold, no client can send.
  const sent = JSON.parse(
    JSON.stringify(given, (_key, value: unknown) => (typeof value === 'bigint' ? 1 : value)),
  ) as object
  return request(name, { ...sent })
})
const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  { weight: 8, arbitrary: shaped },
  {
    weight: 2,
    arbitrary: fc.tuple(shaped, header).map(([request, [name, value]]) => ({
      ...request,
      headers: { ...request.headers, [name]: value },
    })),
  },
  { weight: 1, arbitrary: fc.tuple(shaped, body).map(([request, raw]) => ({ ...request, body: raw })) },
)

function demoEndpoint(failures: unknown[]): McpEndpoint {
  const files = [{ path: 'SKILL.md', bytes: Buffer.from('---\nname: demo\ndescription: d\n---\n') }]
  const skill = { path: 'demo', frontmatter: { name: 'demo', description: 'd' }, files, archives: [] }
  const catalogue = new Catalogue(new Map([['demo', () => ({ skills: [skill] })]]), 'canary')
  const onFailure = (_method: string, error: unknown) => void failures.push(error)
  return createEndpoint({ catalogue, onFailure, tools: true }, () => undefined)
}

/** Whether a status and a body are what a client may be told, whatever it has sent. */
function isOrderly(status: number, text: string): boolean {
  return status < 500 && !text.includes('-32603') && !/node_modules|\/src\/|\n {4}at /.test(text)
}

async function isAnsweredOrderly(endpoint: McpEndpoint, sent: Attempt): Promise<boolean> {
  const exchange = new AbortController()
  const response = await endpoint.fetch(new Request(address, { ...sent, signal: exchange.signal }))
  const text = await response.text()
  // As a server does when the exchange is over; a turn of the loop lets go of what was only weakly held.
  exchange.abort()
  await setImmediate()
  return isOrderly(response.status, text)
}

describe('a hundred thousand requests', { timeout: 240_000 }, () => {
  it('straight to the handler', async () => {
    const failures: unknown[] = []
    const endpoint = demoEndpoint(failures)
    const run = async (numRuns: number) =>
      await fc.assert(
        fc.asyncProperty(attempt, async (sent) => {
          expect(await isAnsweredOrderly(endpoint, sent)).toBe(true)
        }),
        { numRuns },
      )
    await run(8_000)
    collectGarbage()
    const before = heapMiB()
    await run(90_000)
    collectGarbage()
    expect(heapMiB() - before).toBeLessThan(16)
    expect(failures).toEqual([])
  })

  it('over sockets', async () => {
    await using service = await startTestService({}, { SERVE_PROFILE: 'corpus' })
    await fc.assert(
      fc.asyncProperty(attempt, async (sent) => {
        const response = await fetch(`${service.mcpUrl}/mcp`, sent)
        expect(isOrderly(response.status, await response.text())).toBe(true)
      }),
      { numRuns: 2_000 },
    )
    expect((await fetch(`${service.mcpUrl}/healthz`)).status).toBe(200)
  })
})
