process.argv.splice(2, 0, '--http')
await import('../services/skills-server/src/main.ts')
