/** Tells the user one line about what set-up does. */
export type Say = (line: string) => void

export function sayOnStderr(line: string): void {
  process.stderr.write(`Set-up: ${line}\n`)
}

export function seconds(ms: number): string {
  return ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}
