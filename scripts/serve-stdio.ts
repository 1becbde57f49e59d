import { run } from '../services/skills-server/src/run.ts'

await run(['--stdio', ...process.argv.slice(2)])
