import { main } from '../services/skills-server/src/smoke/cli.ts'
import { exitWith } from './main.ts'

await exitWith(
  async () =>
    await main(process.argv.slice(2), { write: (line) => process.stdout.write(`${line}\n`), env: process.env }),
)
