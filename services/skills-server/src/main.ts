import { enableCompileCache } from 'node:module'

// Without it every start strips the types anew, which takes time and leaves some 30 MiB behind.
enableCompileCache()
const { run } = await import('./run.ts')

await run(process.argv.slice(2))
