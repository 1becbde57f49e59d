import { LandfallError, Sha256 } from '@landfall/contracts'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { LoadedSkill } from '../catalogue/load-skill.ts'
import { loadSkill } from '../catalogue/load-skill.ts'
import { fileUri, skillRoot } from '../catalogue/uris.ts'
import { serverInfo } from '../version.ts'
import { turnForBytes } from './large-answers.ts'

/**
 * The tool `open_skill` (section 7 of the fact sheet on bundles): a skill's instructions, if they and its files
 * are still those that were reviewed.
 *
 * It decides nothing else: a match says who is the same, not who is good. Where it refuses, the answer holds no
 * word of the skill. It hashes what the catalogue serves, lies included, and names URIs where the format's own
 * server names folders, because nothing here leaves the server as a path of this machine.
 */
const Input = z.strictObject({
  name: z.string().min(1).describe('Name of the skill, or its path where several share a name'),
  expected_sha256: Sha256.optional().describe('SHA-256 of SKILL.md as it was reviewed'),
  expected_bundle_sha256: Sha256.optional().describe('Digest of the skills-anywhere-bundle-1 manifest as reviewed'),
  include_bundle: z.boolean().optional().describe('Return the manifest of the whole directory'),
})

const { properties = {}, required = [] } = z.toJSONSchema(Input)

export const openSkillTool = {
  name: 'open_skill',
  title: 'Open a skill',
  description:
    'Returns the instructions of one skill. Given the digests of a reviewed skill, it refuses when SKILL.md or any ' +
    'file beside it has changed. The skills here are dangerous on purpose.',
  inputSchema: { type: 'object' as const, properties, required, additionalProperties: false },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

export async function openSkill(catalogue: Catalogue, given: unknown): Promise<CallToolResult> {
  const input = Input.safeParse(given ?? {})
  if (!input.success) return refused(`Invalid arguments: ${z.prettifyError(input.error).slice(0, 500)}`)
  const { name, expected_sha256, expected_bundle_sha256, include_bundle = false } = input.data
  try {
    const loaded = await loadSkill(catalogue, name, include_bundle || expected_bundle_sha256 !== undefined)
    const reason = whyNot(loaded, expected_sha256, expected_bundle_sha256)
    if (reason !== undefined) return refused(reason)
    // The instructions are in the answer twice.
    await turnForBytes(2 * Buffer.byteLength(loaded.body))
    return opened(loaded)
  } catch (error) {
    // Anything else is a fault of ours, which `guarded` keeps from the client.
    if (error instanceof LandfallError) return refused(error.message)
    throw error
  }
}

/** The author's word first: nobody's digests overrule it. */
function whyNot(
  { fields, sha256, bundle }: LoadedSkill,
  expectedMarkdown: string | undefined,
  expectedBundle: string | undefined,
): string | undefined {
  if (fields['disable-model-invocation'] === true) return 'This skill is disabled for models by its author'
  if (expectedMarkdown !== undefined && expectedMarkdown !== sha256) {
    return 'SKILL.md changed: expected_sha256 does not match'
  }
  if (expectedBundle !== undefined && expectedBundle !== bundle?.sha256) {
    return 'The bundle changed: expected_bundle_sha256 does not match'
  }
  return undefined
}

function opened({ skill, fields, body, sha256, bundle }: LoadedSkill): CallToolResult {
  const { name, description, 'allowed-tools': tools } = fields
  const directory = skillRoot(skill)
  const result = {
    name: typeof name === 'string' ? name : skill.frontmatter.name,
    description: typeof description === 'string' ? description : '',
    directory,
    path: fileUri(skill, { path: 'SKILL.md', bytes: Buffer.alloc(0) }),
    source: serverInfo.name,
    content: body,
    sha256,
    ...(bundle === undefined ? {} : { bundle }),
    // Told, and enforced by nobody here.
    ...(tools === undefined ? {} : { declared_tools: tools }),
  }
  const text = `<skill_content name=${attribute(result.name)} directory=${attribute(directory)}>\n${body}\n</skill_content>`
  return { content: [{ type: 'text', text }], structuredContent: result }
}

function refused(reason: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: reason }] }
}

function attribute(value: string): string {
  return `"${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`
}
