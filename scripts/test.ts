import { bringBrowser } from '../runner/src/preflight/browser.ts'
import { preflight } from '../runner/src/preflight/index.ts'
import { exitWith, root } from './main.ts'
import { closingLine } from './test-count.ts'
import { runTests } from './test-run.ts'

await exitWith(async () => {
  try {
    await preflight({ root })
    await bringBrowser()
  } catch (error) {
    // Without an engine nothing was tested, and whoever reads the closing line must see that.
    process.once('exit', () => process.stdout.write(`${closingLine({ passed: 0, failed: 1, skipped: 0 })}\n`))
    throw error
  }
  return runTests(root, process.argv.slice(2))
})
