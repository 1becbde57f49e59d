import packageJson from '../package.json' with { type: 'json' }

/** How this server names itself, over MCP and in its health answer. */
export const serverInfo = { name: 'landfall-skills-server', version: packageJson.version } as const
