/** Starts the engine on a machine without an init system that would do it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, fstatSync, openSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { LandfallError } from '@landfall/contracts'
import { diagnose, lastMessages } from './dockerd-log.ts'
import { exec, searchPath } from './exec.ts'
import type { Say } from './say.ts'

const logPath = '/var/log/landfall-dockerd.log'
const pidFile = '/var/run/docker.pid'
const containerdPidFile = '/var/run/docker/containerd/containerd.pid'
const startLimitMs = 60_000

export async function startDockerd(program: string, say: Say): Promise<void> {
  const running = await runningAs(pidFile, 'dockerd')
  if (running !== undefined) {
    say(`waiting for the engine that is starting already (dockerd, process ${running})`)
    if (await answers(() => !existsSync(`/proc/${running}`))) return
    throw new LandfallError('engine', `dockerd (process ${running}) runs but does not answer at its socket`)
  }
  // The number of a killed daemon may have gone to another process since; the engine would then refuse to start.
  await rm(pidFile, { force: true })
  if ((await runningAs(containerdPidFile, 'containerd')) === undefined) await rm(containerdPidFile, { force: true })

  const log = openSync(logPath, 'a', 0o640)
  const earlier = fstatSync(log).size
  const child = spawn(program, [], {
    cwd: '/',
    // A process session of its own: Ctrl-C in this terminal is not meant for the engine.
    detached: true,
    stdio: ['ignore', log, log],
    env: daemonEnvironment(process.env),
  })
  closeSync(log)
  let failure: string | undefined
  child.once('error', (error) => (failure = error.message))
  child.once('exit', (code, signal) => (failure = signal ? `killed by ${signal}` : `exit code ${code}`))
  const up = await answers(() => failure !== undefined)
  child.unref()
  if (up) return
  if (failure === undefined) {
    child.kill('SIGTERM')
    await Promise.race([once(child, 'exit'), sleep(5_000)])
  }
  throw await startFailure(failure ?? `no answer within ${startLimitMs / 1000} s`, earlier)
}

async function startFailure(failure: string, earlier: number): Promise<LandfallError> {
  const all = await readFile(logPath).catch(() => Buffer.alloc(0))
  const log = all.subarray(earlier).toString()
  const hint = diagnose(log)
  const lines = [`the container engine did not start (dockerd: ${failure}).`]
  if (hint !== undefined) lines.push(hint)
  lines.push(`The end of ${logPath}:`, ...lastMessages(log, 8).map((line) => `  ${line}`))
  return new LandfallError('engine', lines.join('\n'), { log: logPath })
}

async function answers(gaveUp: () => boolean): Promise<boolean> {
  const deadline = Date.now() + startLimitMs
  while (Date.now() < deadline) {
    const args = ['version', '--format', '{{.Server.Version}}']
    if ((await exec('docker', args, { timeoutMs: 10_000 })).ok) return true
    if (gaveUp()) return false
    await sleep(100)
  }
  return false
}

async function runningAs(pidFile: string, program: string): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10)
  if (!Number.isInteger(pid)) return undefined
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return name.trim() === program ? pid : undefined
}

/** The engine outlives this command, so it gets the machine's environment and not that of an npm script. */
function daemonEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(npm_|NODE_|LANDFALL_|DOCKER_|CI$|INIT_CWD$)/.test(name))
  const path = searchPath({
    PATH: (env['PATH'] ?? '')
      .split(':')
      .filter((p) => !p.includes('node_modules'))
      .join(':'),
  })
  return { ...Object.fromEntries(kept), PATH: path }
}
