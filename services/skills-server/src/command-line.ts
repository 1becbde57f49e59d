import { LandfallError } from '@landfall/contracts'
import { Command, CommanderError, Option } from 'commander'
import type { Choices, Profile, RevisionChoice } from './config.ts'
import { profiles, revisionChoices } from './config.ts'
import { serverInfo } from './version.ts'

/** The command line of the server. Pure: takes the arguments, gives what was chosen. */
export interface CommandLine extends Choices {
  readonly transport: 'http' | 'stdio'
}

interface Flags {
  readonly stdio?: true
  readonly http?: true
  readonly adversarial?: true
  readonly profile?: Profile
  readonly revision?: RevisionChoice
  readonly fixture?: string[]
}

/** @throws LandfallError `usage`; with `data.help`, the text that was asked for and no error at all. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const said: string[] = []
  const write = (text: string) => void said.push(text)
  const command = commandWith(write)
  try {
    command.parse([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const text = said.join('').trim()
    throw new LandfallError('usage', text, error.exitCode === 0 ? { help: true } : {}, { cause: error })
  }
  const { stdio, adversarial, profile, revision, fixture } = command.opts<Flags>()
  return {
    transport: stdio === true ? 'stdio' : 'http',
    profile: adversarial === true ? 'adversarial' : profile,
    revision,
    fixture,
  }
}

function commandWith(write: (text: string) => void): Command {
  return new Command('skills-server')
    .description('Serves dangerous skills over MCP. Without options: our own corpus, over HTTP, in both revisions.')
    .version(serverInfo.version)
    .addOption(new Option('--http', 'Streamable HTTP at HOST:PORT (default)').conflicts('stdio'))
    .addOption(new Option('--stdio', 'stdin and stdout, for one client'))
    .addOption(new Option('--profile <name>', 'what to serve; also SERVE_PROFILE').choices(profiles))
    .addOption(new Option('--adversarial', 'short for --profile adversarial').conflicts('profile'))
    .addOption(new Option('--revision <name>', 'of the skills extension (default: both)').choices(revisionChoices))
    .addOption(new Option('--fixture <ids>', 'only these, separated by commas, whatever the profile').argParser(list))
    .configureOutput({ writeOut: write, writeErr: write })
    .exitOverride()
}

function list(text: string): string[] {
  return text.split(',').filter((id) => id !== '')
}
