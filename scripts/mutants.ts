import { main } from '../services/victim-host/testing/mutants/main.ts'
import { exitWith } from './main.ts'

await exitWith(() => main(process.argv.slice(2)))
