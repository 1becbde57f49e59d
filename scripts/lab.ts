import { preflight } from '../runner/src/preflight/index.ts'
import { exitWith, root } from './main.ts'

await exitWith(async () => {
  await preflight({ root })
  const { main } = await import('../runner/src/cli.ts')
  return main(['run', ...process.argv.slice(2)])
})
