import { styleText } from 'node:util'
import { outcomes, type Results } from '@landfall/contracts'
import Table from 'cli-table3'
import { countOutcomes, type Matrix, outcomeSigns, type Tone, toMatrices, verdictTones } from './matrix.ts'

/** The matrix for a terminal of 80 columns: hosts are letters, explained below. */
export function renderMatrixText(results: Results, colour: boolean): string {
  const paint = (tone: Tone, text: string) =>
    colour ? styleText(toneStyles[tone], text, { validateStream: false }) : text
  const matrices = toMatrices(results).map((matrix) => drawMatrix(matrix, results, paint))
  return [...matrices, legend(paint), drawControls(results, paint), summary(results)].join('\n\n')
}

type Paint = (tone: Tone, text: string) => string

const toneStyles = { bad: 'red', middling: 'yellow', good: 'green', quiet: 'gray', broken: 'magenta' } as const

function drawMatrix(matrix: Matrix, results: Results, paint: Paint): string {
  const table = new Table({
    head: ['', ...matrix.hosts.map((_, index) => letter(index))],
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 1 },
    chars: borderless,
  })
  for (const { fixture, cells } of matrix.rows) {
    const signs = cells.map((cell) =>
      cell === undefined ? ' ' : paint(verdictTones[cell.verdict], outcomeSigns[cell.outcome]),
    )
    table.push([fixture, ...signs])
  }
  const hosts = matrix.hosts.map((host, index) => {
    const version = results.run.hosts[host]?.version ?? 'version unknown'
    return `  ${letter(index)}  ${host.padEnd(20)} ${version.slice(0, 50)}`
  })
  return [matrix.title, table.toString(), '', ...hosts].join('\n')
}

const borderless = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((key) => [key, '']),
)

/** A to Z, then AA, AB, ... */
function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last
}

function legend(paint: Paint): string {
  const tones: Record<(typeof outcomes)[number], Tone> = {
    landed: 'bad',
    contained: 'middling',
    blocked: 'good',
    'not-exercised': 'quiet',
    inconclusive: 'broken',
  }
  return outcomes.map((outcome) => `${paint(tones[outcome], outcomeSigns[outcome])} ${outcome}`).join('   ')
}

function drawControls(results: Results, paint: Paint): string {
  return results.controls
    .map(
      ({ name, passed, detail }) =>
        `${passed ? paint('good', 'ok  ') : paint('bad', 'FAIL')} control ${name}: ${detail}`,
    )
    .join('\n')
}

function summary({ trials }: Results): string {
  const counts = countOutcomes(trials)
  const parts = outcomes.flatMap((outcome) => (counts[outcome] === undefined ? [] : `${counts[outcome]} ${outcome}`))
  return `${trials.length} cells: ${parts.join(', ')}.`
}
