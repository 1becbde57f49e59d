import { preflight } from '../runner/src/preflight/index.ts'
import { exitWith, root } from './main.ts'

await exitWith(async () => {
  await preflight({ root })
  return 0
})
