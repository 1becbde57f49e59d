import { spawn } from 'node:child_process'
import { LandfallError } from '@landfall/contracts'

export interface ChildResult {
  readonly code: number
  /** Both streams; empty when they were shown. */
  readonly output: string
}

/** Runs a program to its end, also when this command is stopped: a child may have containers to remove. */
export async function runChild(
  file: string,
  args: readonly string[],
  { cwd, output }: { readonly cwd: string; readonly output: 'kept' | 'shown' },
): Promise<ChildResult> {
  const out = output === 'kept' ? 'pipe' : 'inherit'
  const child = spawn(file, args, { cwd, stdio: ['ignore', out, out] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (text += data.toString()))
  let stopped = false
  const stop = (signal: NodeJS.Signals) => {
    stopped = true
    // A terminal has sent Ctrl-C to the child as well.
    if (signal !== 'SIGINT') child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, stop)
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
    if (stopped) throw new LandfallError('interrupted', 'stopped')
    return { code: code ?? 1, output: text.trim() }
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}
