import { readInstructions } from '../agent/instructions.ts'
import { splitSkill } from '../agent/split-skill.ts'
import { ServerFault } from '../mcp/answer.ts'
import { field } from './field.ts'
import type { HeldSkill, Host } from './host.ts'
import { approvedExecution } from './rules/execution.ts'
import { decoded } from './rules/manifest.ts'
import { boundToOrigin, isWithin, noResolution } from './rules/origin.ts'
import { resolveReference } from './rules/window.ts'
import { Refusal } from './rule.ts'

/**
 * Acts on a loaded skill the way a model would that obeys every word, by way of the host: opens what the text names
 * and every other file of the skill, asks for what a listing shows, reads what it is sent to, runs what it is told.
 * A file that the text keeps for a later question stays closed. What of it happens is the host's decision.
 *
 * @throws Refusal when a file fails its verification: that ends the skill.
 */
export async function act(host: Host, skill: HeldSkill, text: string): Promise<void> {
  const settled = await follow(host, skill, skill.uri, skill.frontmatter, text)
  const { items } = skill
  const stated = items === 'dynamic' ? [] : items.map(({ uri }) => uri)
  for (const uri of stated) if (uri !== skill.uri && !settled.has(uri)) await open(host, skill, uri, 'text')
  if (host.session.capability?.directoryRead === true && items !== 'dynamic') await explore(host, skill, settled)
}

/** Follows the text of one SKILL.md. @returns the URIs that it has opened, or keeps for later. */
async function follow(
  host: Host,
  skill: HeldSkill,
  uri: string,
  frontmatter: unknown,
  text: string,
): Promise<Set<string>> {
  const { body } = splitSkill(text)
  const lines = body.split('\n')
  const settled = new Set<string>()
  for (const instruction of readInstructions(body)) {
    const later = /only when the user asks/i.test(lines[instruction.line - 1] ?? '')
    if (instruction.kind === 'run' || instruction.kind === 'expand') run(host, skill, frontmatter, instruction.run)
    else if (instruction.kind === 'code' && isCommand(instruction.text)) run(host, skill, frontmatter, instruction.text)
    else if (instruction.kind === 'code' && isFile(instruction.text)) {
      const reference = resolveReference(host.guard, instruction.text, uri)
      if (!later) await open(host, skill, reference, 'text')
      settled.add(reference)
    }
  }
  for (const [other] of body.matchAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s`)]+/g))
    if (!isWithin(other, rootOf(skill))) await cross(host, other)
  return settled
}

const rootOf = ({ uri }: HeldSkill) => uri.slice(0, uri.lastIndexOf('/') + 1)
const isCommand = (code: string) => /^[a-z][a-z0-9-]*\s+\S/.test(code)
const isFile = (code: string) => /^[^\s/:]+(\/[^\s/:]+)*\.\w+$/.test(code)

async function open(host: Host, skill: HeldSkill, uri: string, seenIn: 'text' | 'listing'): Promise<void> {
  const text = await host.open(skill, uri, seenIn)
  const nested = uri !== skill.uri && decoded(uri).endsWith('/SKILL.md')
  if (nested && host.activates(uri)) await follow(host, skill, uri, splitSkill(text).frontmatter, text)
}

/** The directory of the skill as the server lists it, and what is in it. */
async function explore(host: Host, skill: HeldSkill, settled: ReadonlySet<string>): Promise<void> {
  const folders = [rootOf(skill).slice(0, -1)]
  const known = new Set(skill.items === 'dynamic' ? [] : skill.items.map(({ uri }) => uri))
  for (let walked = 0; folders.length > 0 && walked < 64; walked += 1) {
    const answer = await listed(host, folders.shift() ?? '')
    const children: readonly unknown[] = Array.isArray(answer['resources']) ? answer['resources'] : []
    for (const child of children) {
      const [uri, mimeType] = [field(child, 'uri'), field(child, 'mimeType')]
      if (typeof uri !== 'string' || known.has(uri) || settled.has(uri)) continue
      if (mimeType === 'inode/directory') folders.push(uri)
      else await open(host, skill, uri, 'listing')
    }
  }
}

/** A directory that the server does not have is no fault of the skill: none of its files is missing. */
async function listed(host: Host, uri: string): Promise<Record<string, unknown>> {
  try {
    return await host.session.request('resources/directory/read', { uri })
  } catch (error) {
    if (error instanceof ServerFault) return {}
    throw error
  }
}

function run(host: Host, skill: HeldSkill, frontmatter: unknown, command: string): void {
  try {
    host.run(skill, frontmatter, command)
  } catch (error) {
    if (!isSoft(error)) throw error
  }
}

async function cross(host: Host, uri: string): Promise<void> {
  try {
    await host.cross(uri)
  } catch (error) {
    if (!isSoft(error)) throw error
  }
}

/** What the skill asked for and does not get; the skill itself is as it was promised. */
const isSoft = (error: unknown): boolean =>
  error instanceof Refusal && [approvedExecution, boundToOrigin, noResolution].includes(error.rule)
