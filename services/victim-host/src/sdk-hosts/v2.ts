import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { failureOf, NoAnswer } from '../mcp/answer.ts'
import { attempt, pathBelow, type SdkHost, write } from './installing.ts'

/**
 * A host of the stable revision on the SDK's `SkillsClient`: lists, reads SKILL.md and every file of its entry, and
 * writes them where agents look. The client refuses invalid entries, unlisted files, and files of another size,
 * digest or frontmatter; approval, origin and limits it leaves to the host, and this host has none.
 */
export const installV2: SdkHost = async (url, skills) => {
  const client = new Client({ name: 'landfall-sdk-v2', version: '0.1.0' }, { versionNegotiation: { mode: 'auto' } })
  try {
    await client.connect(new StreamableHTTPClientTransport(url))
  } catch (cause) {
    throw new NoAnswer(`connecting failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
  await using _closing = { [Symbol.asyncDispose]: () => client.close() }
  const extension = new SkillsClient(client)
  const { skills: entries } = await asked('skills/list', () => extension.list())
  const ended = []
  for (const entry of entries) {
    const { name } = entry.frontmatter
    const one = await attempt(name, async () => {
      const markdown = await asked('reading SKILL.md', () => extension.read(entry))
      write(skills, name, 'SKILL.md', markdown.bytes)
      const root = entry.uri.slice(0, entry.uri.lastIndexOf('/') + 1)
      for (const { uri } of entry.resources === 'dynamic' ? [] : entry.resources) {
        if (uri === entry.uri) continue
        const file = await asked(`reading ${uri}`, () => extension.read(entry, uri))
        write(skills, name, pathBelow(root, uri), file.bytes)
      }
    })
    ended.push(one)
  }
  return ended
}

async function asked<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw failureOf(what, cause)
  }
}
