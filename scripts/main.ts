/** What every script here does the same way: run, say what went wrong, exit with the documented code. */
import { LandfallError } from '@landfall/contracts/errors'
import { exitCodeOf } from '../runner/src/exit-codes.ts'

export { repositoryRoot as root } from '../runner/src/root.ts'

/** How long a forgotten socket may hold the process up once its work is done, in milliseconds. */
const lingerMs = 5_000

export async function exitWith(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    process.stderr.write(`landfall: ${describe(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
  setTimeout(() => process.exit(), lingerMs).unref()
}

function describe(error: unknown): string {
  if (error instanceof LandfallError) return error.message
  // A defect of ours: only here is the stack of use.
  return error instanceof Error && error.stack !== undefined ? error.stack : String(error)
}
