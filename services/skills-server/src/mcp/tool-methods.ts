import { z } from 'zod'
import { serverInfo } from '../version.ts'
import { cacheHint, invalidParams } from './answer.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Answers } from './answer.ts'
import type { ObservedServer } from './observed-server.ts'
import { openSkill, openSkillTool } from './open-skill.ts'

/**
 * Two tools and an empty list of prompts, for people who look at the server with an ordinary client. A trial's
 * endpoint has none of them: nothing there may distract a host from its skills.
 */
const about = {
  name: 'about',
  title: 'About this server',
  description: 'Says what this server is and what it is good for. Takes nothing and does nothing.',
  inputSchema: { type: 'object' as const, properties: {}, additionalProperties: false },
}

const sentence =
  'Landfall serves dangerous skills over MCP, to find out which of them really land on a machine. ' +
  'Every payload is benign: all it leaves behind is text with a token.'

export const toolCapabilities = { tools: { listChanged: false }, prompts: { listChanged: false } }
export const toolCacheHints = { 'tools/list': cacheHint, 'prompts/list': cacheHint }

export function addToolMethods(server: ObservedServer, catalogue: Catalogue, { guarded }: Answers): void {
  server.setRequestHandler('tools/list', () => ({ tools: [about, openSkillTool] }))
  server.setRequestHandler('prompts/list', () => ({ prompts: [] }))
  server.setRequestHandler('prompts/get', (request) => {
    throw invalidParams('Unknown prompt', { name: request.params.name })
  })
  server.setRequestHandler('tools/call', (request) => {
    const { name, arguments: given } = request.params
    if (name === openSkillTool.name) return guarded('open_skill', () => openSkill(catalogue, given))
    if (name !== about.name) throw invalidParams('Unknown tool', { name })
    if (!z.strictObject({}).optional().safeParse(given).success) throw invalidParams('This tool takes nothing')
    return { content: [{ type: 'text', text: `${sentence} (${serverInfo.name} ${serverInfo.version})` }] }
  })
}
