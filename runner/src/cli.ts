import { channels } from '@landfall/contracts/channels'
import { LandfallError } from '@landfall/contracts/errors'
import { users } from '@landfall/contracts/users'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import type { BundleFlags } from './bundle-command.ts'
import { errorJson } from './bundle-error.ts'
import type { RunFlags } from './run-command.ts'
import { toolVersion } from './version.ts'

/**
 * The `landfall` command: options in, exit code out. Each command loads what it needs when it runs, so that
 * help and usage errors need neither an engine nor the time to look for one. Nothing heavy is imported here
 * either: `bundle` is over before zod would have been loaded.
 */
export async function main(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.done
  const program = new Command('landfall')
    .description(
      'Which payloads actually landed? Runs dangerous skills against real hosts and shows what reached the machine.',
    )
    .version(toolVersion)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })

  const allUsers = [...users, 'both'] as const
  program
    .command('run')
    .description('run fixtures against hosts and write results/<run>/')
    .option('--fixtures <ids>', 'only these fixtures, separated by commas', list)
    .option('--hosts <ids>', 'only these hosts, separated by commas', list)
    .option('--all', 'every host, those too that a run leaves out unless they are named')
    .option(
      '--channel <names>',
      `only these ways of delivery, such as ${channels[0]}; a host says which it takes`,
      list,
    )
    .addOption(new Option('--user <user>', 'who the host runs as').choices(allUsers).default('agent'))
    .option('--jobs <n>', 'trials at the same time', positive)
    .option('--seed <n>', 'seed of the canaries, to repeat a run exactly', natural)
    .option('--results <dir>', 'folder for results', 'results')
    .option('--hosts-dir <dir>', 'folder with host profiles of your own, in addition to ours')
    .option('--baseline <file>', 'landings to expect; any other one ends with exit code 1')
    .option('--cross-check', "hold every observation against the engine's own list of changes")
    .option('--resume <run>', 'go on with a run that was stopped')
    .action(async (options: RunFlags) => {
      const { runCommand } = await import('./run-command.ts')
      code = await runCommand(options)
    })
  program
    .command('list')
    .description('list fixtures and hosts')
    .option('--hosts-dir <dir>', 'folder with host profiles of your own, in addition to ours')
    .action(async (options: { hostsDir?: string }) => {
      const { listCommand } = await import('./list-command.ts')
      process.stdout.write(await listCommand(options.hostsDir))
    })
  const hosts = program
    .command('hosts')
    .description('list hosts with their versions, or check one of your own')
    .option('--hosts-dir <dir>', 'folder with host profiles of your own, in addition to ours')
    .option('--json', 'as JSON')
    .action(async (options: { hostsDir?: string; json?: boolean }) => {
      const { hostsCommand } = await import('./hosts-command.ts')
      process.stdout.write(await hostsCommand(options.hostsDir, options.json ?? false))
    })
  hosts
    .command('check')
    .description('try a host on the benign skill in a real lab and say what is missing')
    .argument('<file>', 'its YAML file; a Dockerfile in the same folder is built first')
    .action(async (file: string) => {
      const { checkHost } = await import('./hosts-check.ts')
      code = await checkHost(file, (text) => void process.stdout.write(text))
    })
  program
    .command('bundle')
    .description('give a whole skill directory one identity, and hold it against the one that was reviewed')
    .argument('<dir>', 'the skill directory')
    .option('--json', 'print the manifest, or the comparison, as JSON')
    .option('--against <file>', 'compare with the manifest in this file; exit code 1 when they differ')
    .configureOutput({
      outputError: (text, write) =>
        argv.includes('--json') ? process.stdout.write(errorJson(text.trim())) : write(text),
    })
    .action(async (directory: string, options: BundleFlags) => {
      const { bundleCommand } = await import('./bundle-command.ts')
      code = await bundleCommand(directory, options)
    })
  program
    .command('clean')
    .description('remove containers, networks and volumes that crashed runs left behind')
    .option('--all', 'those of running labs too')
    .action(async (options: { all?: boolean }) => {
      const { cleanCommand } = await import('./clean-command.ts')
      process.stdout.write(await cleanCommand(options.all ?? false))
    })

  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    process.stderr.write(`landfall: ${describe(error)}\n`)
    return exitCodeOf(error)
  }
}

function describe(error: unknown): string {
  // The clean-up failed as well: what ended the command is said first.
  if (error instanceof SuppressedError) return `${describe(error.suppressed)}\nand then: ${describe(error.error)}`
  if (error instanceof LandfallError) return error.message
  // Not one of ours: a defect, for which the stack is what a report needs.
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function list(text: string): string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  if (items.length === 0) throw new InvalidArgumentError('Name at least one.')
  return items
}

function natural(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('A whole number from 0 on is needed.')
  return value
}

function positive(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > 64)
    throw new InvalidArgumentError('A whole number from 1 to 64 is needed.')
  return value
}
