import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { NoAnswer, ServerFault } from '../mcp/answer.ts'
import { attempt, pathBelow, type SdkHost, write } from './installing.ts'

/**
 * A host of the index revision on the older SDK, the way hosts of 2025 did it: reads the index as a resource, then
 * SKILL.md and every listed resource beside it, and writes what comes. That SDK knows nothing of skills, so nothing
 * is verified. Skills that come only as archives it cannot take.
 */
const Index = z.looseObject({
  skills: z.array(z.looseObject({ url: z.string().optional(), frontmatter: z.looseObject({ name: z.string() }) })),
})

const indexUri = 'skill://index.json'

export const installV1: SdkHost = async (url, skills) => {
  const client = new Client({ name: 'landfall-sdk-v1', version: '0.1.0' })
  const transport = new StreamableHTTPClientTransport(url)
  try {
    await client.connect(transport)
  } catch (cause) {
    throw new NoAnswer(`connecting failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
  await using _closing = { [Symbol.asyncDispose]: () => client.close() }
  const index = parseIndex((await read(client, indexUri)).toString('utf8'))
  const listed = await listResources(client)
  const ended = []
  for (const { url: markdown, frontmatter } of index.skills) {
    if (markdown === undefined) continue
    const { name } = frontmatter
    const root = markdown.slice(0, markdown.lastIndexOf('/') + 1)
    const one = await attempt(name, async () => {
      write(skills, name, 'SKILL.md', await read(client, markdown))
      for (const uri of listed) {
        if (uri !== markdown && uri.startsWith(root)) write(skills, name, pathBelow(root, uri), await read(client, uri))
      }
    })
    ended.push(one)
  }
  return ended
}

async function read(client: Client, uri: string): Promise<Buffer> {
  const { contents } = await asked(`reading ${uri}`, () => client.readResource({ uri }))
  const [first] = contents
  if (first === undefined) throw new ServerFault(`the answer to a read of ${uri} holds no content`)
  return 'text' in first ? Buffer.from(first.text, 'utf8') : Buffer.from(first.blob, 'base64')
}

async function listResources(client: Client): Promise<string[]> {
  const uris: string[] = []
  let cursor: string | undefined
  do {
    const page = await asked('resources/list', () => client.listResources(cursor === undefined ? {} : { cursor }))
    uris.push(...page.resources.map(({ uri }) => uri))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return uris
}

function parseIndex(text: string): z.infer<typeof Index> {
  try {
    return Index.parse(JSON.parse(text))
  } catch (cause) {
    throw new ServerFault(`${indexUri} is no index of skills`, { cause })
  }
}

/** Of the older SDK's own errors two have numbers like those of the wire, and an internal one is no word on a skill. */
const noAnswers: ReadonlySet<number> = new Set([
  ErrorCode.ConnectionClosed,
  ErrorCode.RequestTimeout,
  ErrorCode.InternalError,
])

async function asked<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    const message = `${what} failed: ${cause instanceof Error ? cause.message : String(cause)}`
    const isAnswer = cause instanceof McpError ? !noAnswers.has(cause.code) : cause instanceof z.ZodError
    throw isAnswer ? new ServerFault(message, { cause }) : new NoAnswer(message, { cause })
  }
}
