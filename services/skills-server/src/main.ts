import { enableCompileCache } from 'node:module'

// Without it every start strips the types anew, which takes time and leaves some 30 MiB behind. Whoever sets
// NODE_COMPILE_CACHE, as our starters do, saves this very file too.
enableCompileCache()
const { run } = await import('./run.ts')

await run(process.argv.slice(2))
