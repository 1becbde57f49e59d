import { main } from '../runner/src/cli.ts'
import { exitWith } from './main.ts'

await exitWith(() => main(process.argv.slice(2)))
