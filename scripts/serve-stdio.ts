process.argv.splice(2, 0, '--stdio')
await import('../services/skills-server/src/main.ts')
