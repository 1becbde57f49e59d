import { run } from '../services/skills-server/src/run.ts'

await run(['--http', ...process.argv.slice(2)])
