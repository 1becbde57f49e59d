/** Turns rounds of measurements into the lines of the report. Pure. */
export interface Round {
  readonly ours: number
  readonly minimal: number
}

export interface Measured {
  readonly method: string
  readonly era: string
  /** Requests a second, side by side. */
  readonly rounds: readonly Round[]
}

const measuredHow =
  '(the process of the server that `npm run serve:http` starts, with SERVE_PROFILE=all, at its second start)'

export const aims = { ratio: 0.9, residentMiB: 150 } as const

/** The middle one, or the mean of the middle two. @throws RangeError for no numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  if (upper === undefined || lower === undefined) throw new RangeError('No median of nothing')
  return (upper + lower) / 2
}

/** The median of the rounds' own ratios: what disturbs the machine for a while disturbs both sides of a round. */
export function ratioOf({ rounds }: Measured): number {
  return median(rounds.map(({ ours, minimal }) => ours / minimal))
}

export function reportLines(measured: readonly Measured[], residentMiB: number): string[] {
  const head = row('method', 'era', 'ours/s', 'minimal/s', 'ratio', '')
  const rows = measured.map((each) => {
    const { method, era, rounds } = each
    const ratio = ratioOf(each)
    const ours = median(rounds.map((round) => round.ours)).toFixed(0)
    const minimal = median(rounds.map((round) => round.minimal)).toFixed(0)
    return row(method, era, ours, minimal, ratio.toFixed(2), ratio >= aims.ratio ? 'ok' : `below ${aims.ratio}`)
  })
  const fits = residentMiB < aims.residentMiB ? 'ok' : `above ${aims.residentMiB}`
  const memory = `memory at rest with the whole catalogue: ${residentMiB.toFixed(0)} MiB resident, ${fits}`
  return [head, ...rows, memory, measuredHow]
}

function row(method: string, era: string, ours: string, minimal: string, ratio: string, note: string): string {
  const cells = [ours, minimal, ratio].map((cell) => cell.padStart(10))
  return `${method.padEnd(16)}${era.padEnd(8)}${cells.join('')}  ${note}`.trimEnd()
}
