import type { Era } from '@landfall/contracts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { serverInfo } from '../version.ts'
import { answersFor, cacheHint } from './answer.ts'
import type { Observe } from './observed-server.ts'
import { ObservedServer } from './observed-server.ts'
import { addResourceMethods } from './resource-methods.ts'
import { addSkillMethods } from './skill-methods.ts'
import { addToolMethods, toolCacheHints, toolCapabilities } from './tool-methods.ts'

/**
 * One MCP server for one connection or one request: the methods of the catalogue's revisions.
 *
 * The low-level server is used on purpose. The SDK's own skills extension hashes what it serves and would
 * not tell the lies that fixtures have to tell.
 */
export interface ServerParts {
  readonly catalogue: Catalogue
  /** Hears of every exchange. Without it nobody looks at them. */
  readonly observe?: Observe
  /** Hears of every failure that the client only sees as an internal error. */
  readonly onFailure: (method: string, error: unknown) => void
  /** Also two tools and an empty list of prompts. */
  readonly tools?: boolean
}

const extensionId = 'io.modelcontextprotocol/skills'
const cacheHints = { 'resources/list': cacheHint, 'resources/read': cacheHint, 'server/discover': cacheHint }

/** Made once: over HTTP there is a server for each request. */
const optionsWithout = {
  capabilities: { resources: { listChanged: false }, extensions: { [extensionId]: { directoryRead: true } } },
  cacheHints,
}
const optionsWithTools = {
  capabilities: { ...optionsWithout.capabilities, ...toolCapabilities },
  cacheHints: { ...cacheHints, ...toolCacheHints },
}

export function createSkillsServer(parts: ServerParts, era: Era): ObservedServer {
  const { catalogue, observe, onFailure, tools = false } = parts
  const server = new ObservedServer(serverInfo, tools ? optionsWithTools : optionsWithout, observe, era)
  const answers = answersFor(era, onFailure)
  addResourceMethods(server, catalogue, answers)
  if (catalogue.revisions.includes('stable')) addSkillMethods(server, catalogue, answers)
  if (tools) addToolMethods(server, catalogue, answers)
  return server
}
