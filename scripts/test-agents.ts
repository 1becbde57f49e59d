import { join } from 'node:path'
import { preflight } from '../runner/src/preflight/index.ts'
import { runChild } from './child.ts'
import { exitWith, root } from './main.ts'

/** The test of the real installers: by hand, since their images take minutes to build and more than a gigabyte. */
await exitWith(async () => {
  await preflight({ root })
  process.env['LANDFALL_TEST_AGENTS'] = '1'
  const args = ['run', '--project', 'agents', ...process.argv.slice(2)]
  const { code } = await runChild(join(root, 'node_modules/.bin/vitest'), args, { cwd: root, output: 'shown' })
  return code
})
