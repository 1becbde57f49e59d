import { main } from '../runner/src/bench.ts'
import { exitWith } from './main.ts'

await exitWith(() => main(process.argv.slice(2)))
