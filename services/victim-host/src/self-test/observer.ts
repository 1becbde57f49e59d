import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Probe } from './probe.ts'
import { codeOf, probe } from './probe.ts'

/**
 * Probes of process 1, which is the observer: it can neither be signalled, ended, stopped, read nor written.
 *
 * A signal that may be sent is a failure even when nothing comes of it: the kernel does not drop the signals of a
 * process 1 that is blocking them for a moment. Were it to end, this process would end with it. Whether it still
 * works is for the runner to see.
 */
const signals = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGUSR1',
  'SIGUSR2',
  'SIGTERM',
  'SIGSTOP',
  'SIGTSTP',
  'SIGSEGV',
  'SIGKILL',
] as const
const settleMs = 100

export async function probeObserver(): Promise<Probe[]> {
  return [
    await refusesSignals(),
    limitsAreClosed(),
    closed('/proc/1/environ', (path) => closeSync(openSync(path, 'r'))),
    closed('/proc/1/maps', (path) => closeSync(openSync(path, 'r'))),
    closed('/proc/1/mem', (path) => closeSync(openSync(path, 'r+'))),
    closed('/proc/1/oom_score_adj', (path) => closeSync(openSync(path, 'r+'))),
    closed('/proc/1/root', (path) => void readdirSync(path)),
    closed('/proc/1/cwd', (path) => void readdirSync(path)),
    closed('/proc/1/fd/0', (path) => void readlinkSync(path)),
  ]
}

async function refusesSignals(): Promise<Probe> {
  const before = processOne()
  const answers = signals.map((signal) => [signal, send(signal)] as const)
  await sleep(settleMs)
  const after = processOne()
  // T and t are stopped, Z and X are dead. Where /proc/1 is hidden there is no state to see.
  const same = before?.started === after?.started && !/[TtZX]/.test(after?.state ?? '')
  const refused = answers.every(([, answer]) => answer === 'EPERM')
  const said = answers.map((answer) => answer.join(' ')).join(', ')
  return probe('the observer refuses signals', same && refused, `${said}; state ${after?.state ?? 'hidden'}`)
}

function send(signal: NodeJS.Signals): string {
  try {
    process.kill(1, signal)
    return 'sent'
  } catch (error) {
    return codeOf(error)
  }
}

/** State letter and start time of process 1, which together tell whether it is still the one it was. */
function processOne(): { state: string; started: string } | undefined {
  try {
    const stat = readFileSync('/proc/1/stat', 'utf8')
    // The name in parentheses may hold blanks; the fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '?', started: fields[19] ?? '?' }
  } catch {
    return undefined
  }
}

/**
 * Whoever may read the limits of a process may set them, and a CPU limit kills even process 1: equal ids are
 * enough, no capability is asked for.
 */
function limitsAreClosed(): Probe {
  const name = "the observer's limits are closed"
  try {
    execFileSync('prlimit', ['--pid', '1', '--cpu'], { stdio: ['ignore', 'pipe', 'pipe'] })
    return probe(name, false, 'they could be read, so they could be set')
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    return probe(name, output.includes('Operation not permitted'), output)
  }
}

// ENOENT: every process has these files, so one that is missing is hidden.
const shut = new Set(['EACCES', 'EPERM', 'ENOENT', 'EROFS'])

function closed(path: string, open: (path: string) => void): Probe {
  const name = `${path} is closed`
  try {
    open(path)
    return probe(name, false, 'it could be opened')
  } catch (error) {
    const code = codeOf(error)
    return probe(name, shut.has(code), code)
  }
}
