import type { InstallReport } from '@landfall/contracts'
import type { InstallExit } from '@landfall/contracts/install-exit'
import { installExit } from '@landfall/contracts/install-exit'
import { harmless } from './printable.ts'
import type { KnownHost } from './profiles.ts'
import type { HostStep } from './run-host.ts'

/** Tells what an installation does: to a person in lines, to the runner as one report at the end. */
export interface Narrator {
  starting(endpoint: string, host: KnownHost): void
  fetched(skill: string, delivery: InstallReport['deliveries'][number]): void
  running(argv: readonly string[]): void
  ran(step: HostStep): void
  failed(message: string): void
  finished(code: InstallExit, report: InstallReport): void
}

export function narrator(json: boolean): Narrator {
  return json ? forRunner : forPerson
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const warn = (line: string): void => void process.stderr.write(`${line}\n`)
const nothing = (): void => undefined

const forRunner: Narrator = {
  starting: nothing,
  fetched: nothing,
  running: nothing,
  ran: nothing,
  failed: (message) => warn(`landfall-host: ${message}`),
  finished: (_code, report) => print(JSON.stringify(report)),
}

const forPerson: Narrator = {
  starting: (endpoint, { profile, version }) =>
    print(`Installing with ${profile.title} (${harmless(version)}) from ${endpoint}`),
  fetched(skill, { uri, bytes, sha256, path }) {
    print(`\n${skill}: fetched ${harmless(uri)}, ${bytes} bytes`)
    print(`  sha256 ${sha256}, as the index says`)
    print(`  put at ${path}`)
  },
  running: (argv) => print(`  $ ${argv.map(shown).join(' ')}`),
  ran(step) {
    for (const line of harmless(step.output).trimEnd().split('\n')) if (line !== '') print(`    ${line}`)
    print(`  ${ending(step)} after ${step.durationMs} ms`)
  },
  failed: (message) => warn(`landfall-host: ${message}`),
  finished(code, { dest }) {
    print(`\n${meanings[code]}`)
    for (const path of dest) print(`  ${path}`)
  },
}

const meanings: Readonly<Record<InstallExit, string>> = {
  [installExit.accepted]: 'The host accepted. The skill belongs into this directory and nowhere else:',
  [installExit.refused]:
    'The host refused, or gave up half-way. The skill belongs into this directory and nowhere else:',
  [installExit.timeout]: 'The host ran into its time limit and was killed.',
  [installExit.killed]: 'The host was killed by a signal.',
  [installExit.crashed]: 'The host failed before it came to a decision.',
  [installExit.fetchFailed]: 'The skill could not be fetched.',
  [installExit.digestMismatch]: 'The bytes are not the ones that the index promises, so the host never saw them.',
  [installExit.nothingToInstall]: 'Nothing here comes in a format that this host takes.',
  [installExit.hostMissing]: "The host's command does not exist in this victim.",
  [installExit.useFailed]: 'The host accepted, and the agent could not use the skill.',
  [installExit.useTimeout]: 'The host accepted, and the agent ran into its time limit.',
  [installExit.usage]: '',
}

function ending({ timedOut, signal, exitCode }: HostStep): string {
  if (timedOut) return 'time limit'
  return signal === null ? `exit code ${String(exitCode)}` : `killed by ${signal}`
}

function shown(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${harmless(argument).replaceAll("'", `'\\''`)}'`
}
