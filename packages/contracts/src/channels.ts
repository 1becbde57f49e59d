/** How a skill reaches a host. Free of zod, for whatever has to start fast: see users.ts. */
export const channels = ['archive-file', 'mcp-index', 'mcp-stable', 'archive-url', 'directory', 'well-known'] as const
