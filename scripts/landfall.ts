import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Without it, every start strips the types of every file anew, which takes longer than most commands.
enableCompileCache(join(import.meta.dirname, '../.landfall/compile-cache'))

const argv = process.argv.slice(2)
const [{ exitWith }, { quickBundle }] = await Promise.all([
  import('./main.ts'),
  import('../runner/src/quick-bundle.ts'),
])
const quick = quickBundle(argv)
await exitWith(async () => {
  if (quick === undefined) return (await import('../runner/src/cli.ts')).main(argv)
  return (await import('../runner/src/bundle-command.ts')).bundleCommand(...quick)
})
