import { Command, CommanderError, Option } from 'commander'
import { installExit } from '@landfall/contracts/install-exit'
import { defaultUrl, type InstallRequest } from './install.ts'

/** The command line for people. Each command's code is loaded when it is asked for. */
export async function runCli(argv: readonly string[]): Promise<number> {
  let code = 0
  const program = new Command('landfall-host')
    .description(
      'Installs skills in a victim, the way a real host would. Everything it installs is hostile on purpose.',
    )
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')

  program
    .command('install')
    .description('fetch skills over MCP and let a host install them')
    .argument('[fixture]', 'a fixture of the catalogue; without it, all that the endpoint lists')
    .addOption(new Option('--host <id>', 'the host that installs').conflicts('profile'))
    .option('--profile <json>', 'a host profile of your own, as JSON')
    .option('--url <address>', `MCP endpoint (default: $LANDFALL_MCP_URL, else ${defaultUrl})`)
    .addOption(new Option('--format <format>', 'only this archive format').choices(['tar.gz', 'zip']))
    .option('--use <json>', 'what the agent uses afterwards, when the host accepts')
    .option('--json', 'print one JSON report as the last line', false)
    .action(async (fixture: string | undefined, options: Omit<InstallRequest, 'fixture'>) => {
      if (options.host === undefined && options.profile === undefined) program.error('name a host with --host')
      const { install } = await import('./install.ts')
      code = await install({ ...options, ...(fixture === undefined ? {} : { fixture }) })
    })

  program
    .command('use')
    .description('let the scripted agent use installed skills: it obeys everything that they say')
    .argument('[skills...]', 'names of installed skills')
    .option('--request <json>', 'a whole request, as JSON')
    .option('--json', 'print one JSON report as the last line', false)
    .action(async (skills: string[], options: { request?: string; json: boolean }) => {
      if (skills.length === 0 && options.request === undefined) program.error('name an installed skill')
      const { useCommand } = await import('./agent/use-command.ts')
      code = await useCommand({ ...options, skills })
    })

  program
    .command('list')
    .description('show fixtures and hosts')
    .option('--json', 'as JSON', false)
    .action(async ({ json }: { json: boolean }) => {
      const { list } = await import('./commands/list.ts')
      await list(json)
    })

  program
    .command('hosts')
    .description('show every host with the version it reports now')
    .option('--profiles <json>', 'a list of host profiles instead of those of this image')
    .option('--json', 'as JSON', false)
    .action(async ({ json, profiles }: { json: boolean; profiles?: string }) => {
      const { hosts } = await import('./commands/hosts.ts')
      await hosts(json, profiles)
    })

  program
    .command('self-test')
    .description('probe from inside that a victim has no way out; JSON on stdout')
    .requiredOption('--targets <json>', 'what must and what must not be in reach')
    .action(async ({ targets }: { targets: string }) => {
      const { selfTest } = await import('./self-test/self-test.ts')
      await selfTest(targets)
    })

  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // It has said what was wrong.
    return error.exitCode === 0 ? 0 : installExit.usage
  }
  return code
}
