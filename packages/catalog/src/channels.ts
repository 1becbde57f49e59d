import type { Channel } from '@landfall/contracts'

/** Channels of rows that come in an archive. A row without a zip meets nobody over ClawHub. */
export const archiveChannels = ['archive-file', 'mcp-index', 'archive-url', 'well-known', 'clawhub'] as const

/** Of rows that come in archives and as a tree of files too. */
export const carried = [...archiveChannels, 'git', 'marketplace'] as const

/** Whether it is served as a tree of files outside of MCP: its fixture has files, or states a checkout. */
export const comesAsTree = ({ channels }: { readonly channels: readonly Channel[] }): boolean =>
  channels.includes('git')
