import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readBundle } from '@landfall/bundle'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sha256 } from './catalogue/digest.ts'
import type { TestClient } from './testing/clients.ts'
import { clientKinds, connect, stdioTarget } from './testing/clients.ts'
import { startTestService } from './testing/service.ts'

/** What every answer of the tool looks like, whichever client asked. */
const Answer = z.looseObject({
  isError: z.boolean().optional(),
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
})

/** Words that are only in the instructions: none of them may be in a refusal, wherever in it. */
const secret = 'INSTRUCTION-4b1f'
const description = 'Counts lines for the test.'
const frontmatter = (name: string, more = '') => `---\nname: ${name}\ndescription: ${description}\n${more}---\n`

/** A tree of skills on the disk, and a second one that differs in one byte of one supporting file. */
const newTrees = () => {
  const base = mkdtempSync(join(tmpdir(), 'landfall-open-skill-'))
  const reviewed = join(base, 'reviewed')
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(reviewed, path)), { recursive: true })
    writeFileSync(join(reviewed, path), content)
  }
  write('count/SKILL.md', `${frontmatter('count', 'allowed-tools: Bash(wc *)\n')}# Count\n\n${secret}: run it.\n`)
  write('count/scripts/run.sh', 'echo 1\n')
  write('count/data/é.bin', Buffer.from([0, 255, 10]))
  write('count/inner/SKILL.md', `${frontmatter('inner')}nested\n`)
  write('off/SKILL.md', `${frontmatter('off', 'disable-model-invocation: true\n')}${secret}\n`)
  for (const folder of ['a', 'b']) write(`${folder}/twin/SKILL.md`, `${frontmatter('twin')}${folder} ${secret}\n`)
  const changed = join(base, 'changed')
  cpSync(reviewed, changed, { recursive: true })
  writeFileSync(join(changed, 'count/scripts/run.sh'), 'echo 2\n')
  return { reviewed, changed, [Symbol.dispose]: () => rmSync(base, { recursive: true }) }
}

/** What the reviewer wrote down, by the reader of directories, which knows nothing of the server. */
const reviewOf = async (root: string, name: string) => {
  const { manifest, skillMarkdown } = await readBundle(join(root, name))
  return { manifest, markdown: sha256(skillMarkdown) }
}

const open = async (client: TestClient, args: Record<string, unknown>) =>
  Answer.parse(await client.request('tools/call', { name: 'open_skill', arguments: args }))

/** What the tool says when it refuses. The whole answer is searched for anything the skill says. */
const refusalOf = async (client: TestClient, args: Record<string, unknown>) => {
  const answer = await open(client, args)
  expect(answer.isError).toBe(true)
  expect(answer.structuredContent).toBeUndefined()
  const whole = JSON.stringify(answer)
  for (const word of [secret, description, 'Count', 'wc *']) expect(whole).not.toContain(word)
  return answer.content[0].text
}

const transports = {
  HTTP: async (root: string) => {
    const service = await startTestService({}, { SERVE_PROFILE: 'corpus', SKILLS_ROOT: root })
    return { target: `${service.mcpUrl}/mcp`, [Symbol.asyncDispose]: async () => await service.stop() }
  },
  stdio: (root: string) =>
    Promise.resolve({ target: stdioTarget([], { SKILLS_ROOT: root }), [Symbol.asyncDispose]: () => Promise.resolve() }),
}
const combinations = clientKinds.flatMap((kind) => (['HTTP', 'stdio'] as const).map((way) => [kind, way] as const))

describe.each(combinations)('open_skill through %s over %s', { timeout: 60_000 }, (kind, way) => {
  it('opens what was reviewed, and refuses one changed byte in a supporting file', async () => {
    using trees = newTrees()
    const { manifest, markdown } = await reviewOf(trees.reviewed, 'count')
    const pins = { name: 'count', expected_sha256: markdown, expected_bundle_sha256: manifest.sha256 }
    {
      await using server = await transports[way](trees.reviewed)
      await using client = await connect(kind, server.target)
      const { isError, content, structuredContent } = await open(client, pins)
      expect(isError ?? false).toBe(false)
      expect(content[0].text).toContain(`${secret}: run it.`)
      expect(structuredContent).toEqual({
        name: 'count',
        description,
        directory: 'skill://count',
        path: 'skill://count/SKILL.md',
        source: 'landfall-skills-server',
        content: `# Count\n\n${secret}: run it.\n`,
        sha256: markdown,
        bundle: manifest,
        declared_tools: 'Bash(wc *)',
      })
    }
    await using server = await transports[way](trees.changed)
    await using client = await connect(kind, server.target)
    // The instructions themselves are the same, so whoever pins only them notices nothing.
    expect((await open(client, { name: 'count', expected_sha256: markdown })).isError ?? false).toBe(false)
    expect(await refusalOf(client, pins)).toContain('expected_bundle_sha256 does not match')
    const bundleOnly = { name: 'count', expected_bundle_sha256: manifest.sha256 }
    expect(await refusalOf(client, bundleOnly)).toContain('expected_bundle_sha256 does not match')
  })
})

describe('open_skill', { timeout: 30_000 }, () => {
  const served = async (root: string) => {
    const server = await transports.HTTP(root)
    const client = await connect('v2 pinned', server.target)
    const stop = async () => {
      await client[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    }
    return { ...client, [Symbol.asyncDispose]: stop }
  }

  it('hashes the directory only when it is asked to', async () => {
    using trees = newTrees()
    await using client = await served(trees.reviewed)
    expect((await open(client, { name: 'count' })).structuredContent).not.toHaveProperty('bundle')
    const { structuredContent } = await open(client, { name: 'count', include_bundle: true })
    expect(structuredContent?.['bundle']).toEqual((await reviewOf(trees.reviewed, 'count')).manifest)
  })

  it('compares SKILL.md before the bundle', async () => {
    using trees = newTrees()
    await using client = await served(trees.reviewed)
    const wrong = '0'.repeat(64)
    const args = { name: 'count', expected_sha256: wrong, expected_bundle_sha256: wrong }
    expect(await refusalOf(client, args)).toContain('expected_sha256 does not match')
  })

  it("lets the author's word win over digests that match", async () => {
    using trees = newTrees()
    const { manifest, markdown } = await reviewOf(trees.reviewed, 'off')
    await using client = await served(trees.reviewed)
    for (const pins of [{}, { expected_sha256: markdown, expected_bundle_sha256: manifest.sha256 }])
      expect(await refusalOf(client, { name: 'off', ...pins })).toContain('disabled for models by its author')
  })

  it('knows a nested skill, and tells twins apart by their paths', async () => {
    using trees = newTrees()
    await using client = await served(trees.reviewed)
    expect((await open(client, { name: 'inner' })).structuredContent).toMatchObject({
      path: 'skill://count/inner/SKILL.md',
    })
    expect(await refusalOf(client, { name: 'twin' })).toContain('Several skills are named "twin"; give the path')
    expect((await open(client, { name: 'b/twin/twin' })).content[0].text).toContain(`b ${secret}`)
  })

  it.each([
    ['Unknown skill: "nowhere\\u202e"', { name: 'nowhere\u202E' }],
    ['Invalid arguments', { name: '' }],
    ['Invalid arguments', {}],
    ['Invalid arguments', { name: 'count', expected_sha256: `sha256:${'0'.repeat(64)}` }],
    ['Invalid arguments', { name: 'count', expected_bundle_sha256: 'A'.repeat(64) }],
    ['Invalid arguments', { name: 'count', include_bundle: 'yes' }],
    ['Invalid arguments', { name: 'count', expected_bundle: '0'.repeat(64) }],
  ])('refuses with: %s', async (reason, args) => {
    using trees = newTrees()
    await using client = await served(trees.reviewed)
    expect(await refusalOf(client, args)).toContain(reason)
  })

  it('is told with its arguments, next to the other tool', async () => {
    await using service = await startTestService({}, { SERVE_PROFILE: 'corpus' })
    await using client = await connect('v1', `${service.mcpUrl}/mcp`)
    expect((await client.request('tools/list', {})).tools).toMatchObject([
      { name: 'about' },
      { name: 'open_skill', inputSchema: { required: ['name'], additionalProperties: false } },
    ])
  })

  it('hashes what is served, so a fixture that answers differently each time is noticed', async () => {
    await using service = await startTestService({}, { SERVE_PROFILE: 'adversarial' })
    await using client = await connect('v2 auto', `${service.mcpUrl}/mcp`)
    const name = 'adv-content-rotation'
    const first = await open(client, { name, include_bundle: true })
    const digest = z.object({ bundle: z.object({ sha256: z.string() }) }).parse(first.structuredContent).bundle.sha256
    const second = await open(client, { name, expected_bundle_sha256: digest })
    expect([second.isError, second.content[0].text]).toEqual([true, expect.stringContaining('does not match')])
  })
})
