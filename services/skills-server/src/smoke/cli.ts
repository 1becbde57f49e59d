import { join } from 'node:path'
import type { Revision } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts'
import { Command, CommanderError, Option } from 'commander'
import { smokeAdversarial } from './adversarial.ts'
import { obstacleAt } from './reach.ts'
import { Report } from './report.ts'
import type { OpenSession } from './session.ts'
import { opener } from './session.ts'
import { smoke } from './smoke.ts'

/** `npm run smoke`: checks a server of skills from outside, as a client. */
interface Flags {
  readonly http?: string | true
  readonly adversarial?: true
  readonly revision: 'index' | 'stable' | 'both'
}

const defaultUrl = 'http://127.0.0.1:3940/mcp'
const serverScript = join(import.meta.dirname, '../main.ts')

export interface SmokeParts {
  readonly write: (line: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
}

/** @returns the exit code: 0 when every check passed, otherwise 1. @throws LandfallError `usage` */
export async function main(argv: readonly string[], { write, env }: SmokeParts): Promise<number> {
  const flags = readFlags(argv, write)
  if (flags === undefined) return 0
  const { revision, adversarial = false } = flags
  const revisions: readonly Revision[] = revision === 'both' ? ['index', 'stable'] : [revision]
  const url = flags.http === undefined ? undefined : urlOf(flags.http === true ? defaultUrl : flags.http)
  const obstacle = url === undefined ? undefined : await obstacleAt(url)
  if (obstacle !== undefined) {
    write(`FAIL  ${String(url)} cannot be reached: ${obstacle}`)
    return 1
  }
  const report = new Report(write)
  const open = openerOf(flags, env)
  if (adversarial) {
    const own = (fixture: string) => open(['--fixture', fixture], `/endless/${fixture}/mcp`)
    const targets = { open: open(['--profile', 'all']), openOwn: own }
    await smokeAdversarial(targets, revisions, report)
  } else {
    await smoke(open([]), revisions, report)
  }
  write(`${report.total} checks, ${report.failed} failed`)
  return report.failed === 0 ? 0 : 1
}

type OpenWith = (serverArgs: readonly string[], path?: string) => OpenSession

/** Over stdio each session has a server of its own, started with `serverArgs`; over HTTP it runs already. */
function openerOf({ http, revision }: Flags, env: SmokeParts['env']): OpenWith {
  if (http !== undefined) {
    const base = urlOf(http === true ? defaultUrl : http)
    return (_args, path) => opener({ kind: 'http', url: path === undefined ? base : new URL(path, base) })
  }
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  // What the server leaves out of a catalogue is its own affair; that it cannot start is ours.
  const quiet = { ...Object.fromEntries(set), LOG_LEVEL: 'error' }
  return (args) =>
    opener({
      kind: 'stdio',
      command: process.execPath,
      args: [serverScript, '--stdio', '--revision', revision, ...args],
      env: quiet,
    })
}

function urlOf(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !url.protocol.startsWith('http')) {
    throw new LandfallError('usage', `Not the address of an MCP endpoint: ${text}`)
  }
  return url
}

/** `undefined` when only the help was asked for. */
function readFlags(argv: readonly string[], write: (line: string) => void): Flags | undefined {
  const said: string[] = []
  const keep = (text: string) => void said.push(text)
  const command = new Command('smoke')
    .description('Checks a server of skills as a client does. Without options it starts the server itself, over stdio.')
    .option('--http [url]', `a running server (default: ${defaultUrl})`)
    .option('--adversarial', 'look at the fixtures instead: which are served, and how one would tell that they landed')
    .addOption(new Option('--revision <name>', 'what to expect').choices(['index', 'stable', 'both']).default('both'))
    .configureOutput({ writeOut: keep, writeErr: keep })
    .exitOverride()
  try {
    return command.parse([...argv], { from: 'user' }).opts<Flags>()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw new LandfallError('usage', said.join('').trim(), {}, { cause: error })
    write(said.join('').trim())
    return undefined
  }
}
