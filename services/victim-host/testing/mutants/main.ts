import { writeFile } from 'node:fs/promises'
import { startSkillsServer } from '../skills-server.ts'
import { renderTables } from './tables.ts'
import { cells, type CellResult, sweepCell } from './sweep.ts'

/** `npm run mutants`: both tables on stdout; exit code 1 when one of them holds what is not explained. `--json FILE` keeps the cells. */
export async function main(argv: readonly string[]): Promise<number> {
  const jsonFile = argv.includes('--json') ? argv[argv.indexOf('--json') + 1] : undefined
  const only = argv.filter((argument) => !argument.startsWith('--') && argument !== jsonFile)
  const wanted = cells.filter(({ fixture }) => only.length === 0 || only.includes(fixture.id))

  await using server = await startSkillsServer()
  const results: CellResult[] = []
  for (const cell of wanted) {
    const result = await sweepCell(server, cell)
    results.push(result)
    const lands = result.single.length > 0 ? result.single.join(', ') : result.together.join(' + ')
    process.stderr.write(
      `[${results.length}/${wanted.length}] ${result.fixture} (${result.revision}): ${lands || '-'}\n`,
    )
  }
  if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify(results, undefined, 2)}\n`)
  const { text, unexplained } = renderTables(results, only.length === 0)
  process.stdout.write(text)
  return unexplained ? 1 : 0
}
