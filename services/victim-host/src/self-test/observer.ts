import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Probe } from './probe.ts'
import { codeOf, probe } from './probe.ts'

/**
 * Probes of process 1, which is the observer: it can neither be ended, stopped, read nor written.
 *
 * Sent from inside of its own namespace, a signal without a handler does not reach process 1 at all; so no
 * error is fine as long as it is the same process afterwards, and still runs.
 */
const signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGTERM', 'SIGSTOP', 'SIGTSTP', 'SIGSEGV', 'SIGKILL'] as const
const settleMs = 100

export async function probeObserver(): Promise<Probe[]> {
  const before = processOne()
  const answers = signals.map((signal) => `${signal} ${send(signal)}`)
  await sleep(settleMs)
  const after = processOne()
  const survived = before !== undefined && after !== undefined && before.started === after.started && !/[TtZX]/.test(after.state)
  return [
    probe('the observer survives signals', survived, `${answers.join(', ')}; then ${after === undefined ? 'gone' : `state ${after.state}`}`),
    ...['environ', 'mem', 'maps'].map((file) => closed(`/proc/1/${file}`, (path) => closeSync(openSync(path, 'r')))),
    closed('/proc/1/root', (path) => void readdirSync(path)),
    closed('/proc/1/cwd', (path) => void readdirSync(path)),
    closed('/proc/1/fd', (path) => void readdirSync(path)),
    closed('/proc/1/mem', (path) => closeSync(openSync(path, 'r+'))),
    closed('/proc/1/oom_score_adj', (path) => closeSync(openSync(path, 'r+'))),
  ]
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

function closed(path: string, open: (path: string) => void): Probe {
  const name = `${path} is closed`
  try {
    open(path)
    return probe(name, false, 'it could be opened')
  } catch (error) {
    const code = codeOf(error)
    return probe(name, code === 'EACCES' || code === 'EPERM', code)
  }
}
