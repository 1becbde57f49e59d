import { main } from '../services/skills-server/src/bench/main.ts'
import { exitWith } from './main.ts'

await exitWith(async () => await main((line) => process.stdout.write(`${line}\n`)))
