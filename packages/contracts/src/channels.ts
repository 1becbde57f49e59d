/** How a skill reaches a host. Free of zod, for whatever has to start fast: see users.ts. */
export const channels = [
  'archive-file',
  'mcp-index',
  'mcp-stable',
  'archive-url',
  'directory',
  'well-known',
  'git',
  'clawhub',
  'marketplace',
] as const

/** Those of a host that is given an address and fetches by itself, without MCP. */
export const fetchedChannels = ['archive-url', 'well-known', 'git', 'clawhub', 'marketplace'] as const
export type FetchedChannel = (typeof fetchedChannels)[number]
