import { main } from '../runner/src/cli.ts'
import { exitWith } from './main.ts'

await exitWith(() => main(['run', ...process.argv.slice(2)]))
