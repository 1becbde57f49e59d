import { exitWith, root } from './main.ts'
import { runTests } from './test-run.ts'

await exitWith(() => runTests(root, ['--project', 'unit', ...process.argv.slice(2)]))
