import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { InstallReport } from '@landfall/contracts'
import { OutputTail } from './output-tail.ts'

/**
 * Runs one command of a host: stdin closed, an explicit environment, a time limit on the whole process
 * group, and only the end of its output kept.
 *
 * Plain `spawn`, because the process library of the house takes 80 ms to load, in every trial.
 */
export type HostStep = InstallReport['steps'][number]

export interface HostCommand {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

const outputLimit = 16 * 1024
/** How long output is awaited from a process that a host has left behind. */
const lingerMs = 100

/** Never throws for what a host does: a command that cannot be started ends with 127, as in a shell. */
export function runHost({ argv, cwd, env, timeoutMs }: HostCommand): Promise<HostStep> {
  const started = performance.now()
  const output = new OutputTail(outputLimit)
  const [file = '', ...args] = argv
  return new Promise((resolve) => {
    // A group of its own, so that the limit ends its children too.
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      killGroup(child.pid)
    }, timeoutMs)
    const finish = (exitCode: number | null, signal: string | null) => {
      clearTimeout(timer)
      child.stdout.destroy()
      child.stderr.destroy()
      const durationMs = Math.round(performance.now() - started)
      resolve({ command: [...argv], exitCode, signal, durationMs, timedOut, output: output.toString() })
    }
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
    child.on('error', (error) => {
      output.push(Buffer.from(`${error.message}\n`))
      finish(127, null)
    })
    child.on('close', finish)
    child.on('exit', (code, signal) => setTimeout(finish, lingerMs, code, signal).unref())
  })
}

/** Ends a process that leads a group of its own, with all that it has started in it. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself in the meantime.
  }
}

/** Where a Debian machine keeps the authorities that it trusts; in a victim of the lab that is the sinkhole's. */
const authorities = '/etc/ssl/certs/ca-certificates.crt'

/** What a host may know of its surroundings: nothing of the lab. */
export function hostEnvironment(
  home: string,
  user: string,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    HOME: home,
    USER: user,
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    CI: '1',
    NODE_DISABLE_COMPILE_CACHE: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    // Node has a list of authorities of its own, so that alone it would not trust the only one there is here.
    ...(existsSync(authorities) ? { NODE_EXTRA_CA_CERTS: authorities } : {}),
    ...own,
  }
}
