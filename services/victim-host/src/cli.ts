import { Argument, Command, CommanderError, Option } from 'commander'
import { installExit } from '@landfall/contracts/install-exit'
import { waitForGo } from './go.ts'
import { defaultUrl, type InstallRequest } from './install.ts'
import type { PinningOptions } from './pinning/command.ts'
import type { ReferenceOptions } from './reference/command.ts'
import type { SdkLine } from './sdk-hosts/command.ts'

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
    .option('--host-version <text>', 'its version, for the report')
    .option('--url <address>', `MCP endpoint (default: $LANDFALL_MCP_URL, else ${defaultUrl})`)
    .addOption(new Option('--format <format>', 'only this archive format').choices(['tar.gz', 'zip']))
    .option('--use <json>', 'what the agent uses afterwards, when the host accepts')
    .addOption(
      new Option('--channel <channel>', 'let a host that speaks MCP connect').choices(['mcp-index', 'mcp-stable']),
    )
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

  const reference = program
    .command('reference')
    .description('the reference host: an MCP host without a model that obeys every host rule of both revisions')
  reference
    .command('visit')
    .description('find the skills of a server, load and use what the rules allow; exit code 3 for a refusal')
    .argument('<url>', 'MCP endpoint')
    .addOption(new Option('--revision <revision>').choices(['index', 'stable']).makeOptionMandatory())
    .option('--label <label>', "the host's own name of the server", 'lab')
    .addOption(
      new Option('--consent <consent>', 'what the user answers').choices(['none', 'once', 'always']).default('none'),
    )
    .option('--without <rules>', 'rules to turn off, separated by commas')
    .option('--uri <uri>', 'load this skill only, listed or not')
    .addOption(new Option('--until <step>', 'stop there').choices(['approval', 'use']))
    .option('--home <folder>', "the user's home", process.env['HOME'] ?? '/')
    .action(async (url: string, options: ReferenceOptions) => {
      const { referenceVisit } = await import('./reference/command.ts')
      code = await referenceVisit(url, options)
    })
  reference
    .command('version')
    .description('print its version')
    .action(async () => {
      const { referenceVersion } = await import('./reference/version.ts')
      process.stdout.write(`${referenceVersion}\n`)
    })
  reference
    .command('rules')
    .description('list every rule with its clauses')
    .action(async () => {
      const { referenceRules } = await import('./reference/command.ts')
      process.stdout.write(referenceRules())
    })
  reference
    .command('forget')
    .description('remove everything that is kept of a server')
    .argument('<label>')
    .option('--home <folder>', "the user's home", process.env['HOME'] ?? '/')
    .action(async (label: string, { home }: { home: string }) => {
      const { referenceForget } = await import('./reference/command.ts')
      referenceForget(label, home)
    })

  const sdk = program.command('sdk').description('hosts on the SDKs: what an SDK checks is checked, and nothing else')
  const line = () => new Argument('<line>', 'line of the SDK').choices(['v1', 'v2'])
  sdk
    .command('install')
    .description('install every skill of a server, twice as by two starts; exit code 3 for a refusal')
    .addArgument(line())
    .argument('<url>', 'MCP endpoint')
    .option('--home <folder>', "the user's home", process.env['HOME'] ?? '/')
    .action(async (which: SdkLine, url: string, { home }: { home: string }) => {
      const { sdkInstall } = await import('./sdk-hosts/command.ts')
      code = await sdkInstall(which, url, home)
    })
  sdk
    .command('version')
    .description('print name and version of the SDK')
    .addArgument(line())
    .action(async (which: SdkLine) => {
      const { sdkVersion } = await import('./sdk-hosts/command.ts')
      process.stdout.write(`${sdkVersion(which)}\n`)
    })

  const pinning = program
    .command('pinning')
    .description('the host that pins bundles: what was reviewed once is used as long as it stays the same')
  pinning
    .command('visit')
    .description(
      'review and pin what a server offers, take it once more, and use it if it is the same; 3 for a refusal',
    )
    .argument('<url>', 'MCP endpoint')
    .addOption(new Option('--revision <revision>').choices(['index', 'stable']).makeOptionMandatory())
    .action(async (url: string, options: PinningOptions) => {
      const { pinningVisit } = await import('./pinning/command.ts')
      code = await pinningVisit(url, options)
    })
  pinning
    .command('version')
    .description('print its version')
    .action(async () => {
      const { pinningVersion } = await import('./pinning/version.ts')
      process.stdout.write(`${pinningVersion}\n`)
    })

  program
    .command('self-test')
    .description('probe from inside that a victim has no way out; JSON on stdout')
    .requiredOption('--targets <json>', 'what must and what must not be in reach')
    .action(async ({ targets }: { targets: string }) => {
      const { selfTest } = await import('./self-test/self-test.ts')
      await selfTest(targets)
    })

  program
    .command('act')
    .description('do what the runner says, so that every witness has something to see; JSON on stdout')
    .requiredOption('--plan <json>', 'what to do')
    .option('--go <from>', 'begin when a line comes from there')
    .action(async ({ plan, go }: { plan: string; go?: string }) => {
      const { act } = await import('./witness/act.ts')
      if (go === 'stdin' && !waitForGo()) program.error('nobody said go')
      code = await act(plan)
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
