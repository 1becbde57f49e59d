import { readSync } from 'node:fs'
import { LandfallError } from '@landfall/contracts/errors'
import { installExit } from '@landfall/contracts/install-exit'
import { quickInstall } from './quick-arguments.ts'

/**
 * Entry of `landfall-host`. The runner's own call takes a short cut past the option parser: it happens once
 * in every trial, and what it loads is most of what it costs.
 */
async function main(argv: readonly string[]): Promise<number> {
  const quick = quickInstall(argv)
  if (quick !== undefined) {
    const { install } = await import('./install.ts')
    if (!waitForGo()) return installExit.usage
    return await install(quick)
  }
  const { runCli } = await import('./cli.ts')
  return await runCli(argv)
}

/**
 * Waits for a line on standard input: the runner sends it when the observer has looked. What this program loads
 * it loads before. An input that ends without a line is a runner that is gone.
 */
function waitForGo(): boolean {
  return readSync(0, Buffer.alloc(1)) === 1
}

/** A defect of this program. Not one of the installation's codes, so that it is never taken for a result. */
const defect = 70

try {
  const code = await main(process.argv.slice(2))
  // Leaves at once: sockets kept alive and killed children would hold the process up.
  process.exit(code)
} catch (error) {
  if (error instanceof LandfallError) fail(error.message, installExit.usage)
  else fail(error instanceof Error ? (error.stack ?? error.message) : String(error), defect)
}

function fail(text: string, code: number): never {
  process.stderr.write(`landfall-host: ${text}\n`)
  process.exit(code)
}
