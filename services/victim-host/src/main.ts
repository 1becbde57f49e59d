import { LandfallError } from '@landfall/contracts/errors'
import { installExit } from '@landfall/contracts/install-exit'
import { waitForGo } from './go.ts'
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
