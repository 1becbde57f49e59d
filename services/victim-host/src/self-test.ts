import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import { parseAs } from '@landfall/contracts'
import { z } from 'zod'

/**
 * What a victim tries of itself, from inside, before a run may begin: it has no way out, no right, and
 * nothing to harm the observer with. The runner says what must and must not be in reach.
 */
const Target = z.strictObject({
  what: z.string(),
  host: z.string(),
  port: z.int().min(1).max(65535),
  /** The machine may be in reach as long as nothing listens on the port. */
  mayRefuse: z.boolean(),
})
export const ProbeTargets = z.strictObject({
  reachable: z.array(Target),
  unreachable: z.array(Target),
  unresolvable: z.array(z.string()),
})
export type ProbeTargets = z.infer<typeof ProbeTargets>
type Target = z.infer<typeof Target>

export interface Probe {
  readonly probe: string
  readonly passed: boolean
  readonly detail: string
}

/** @throws LandfallError `invalid` when the targets are not as expected. */
export async function selfTest(targetsJson: string): Promise<Probe[]> {
  const targets = parseAs(ProbeTargets, JSON.parse(targetsJson), 'the targets of the self-test')
  const network = await Promise.all([
    ...targets.reachable.map(async (target) => reached(target, await knock(target))),
    ...targets.unreachable.map(async (target) => notReached(target, await knock(target))),
    ...targets.unresolvable.map(doesNotResolve),
  ])
  return [
    ...network,
    ...rights(readFileSync('/proc/self/status', 'utf8')),
    ...noRoute(),
    ...noSocket(),
    ...observerClosed(),
    ...signals(),
  ]
}

/** `open`, or the code of the error: ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, ETIMEDOUT. */
function knock({ host, port }: Target): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_500 })
    const end = (result: string) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => end('open'))
    socket.once('timeout', () => end('ETIMEDOUT'))
    socket.once('error', (error) => end('code' in error ? String(error.code) : error.message))
  })
}

const name = ({ what, host, port }: Target) => `${what} (${host}:${port})`

const reached = (target: Target, answer: string): Probe => ({
  probe: `${name(target)} is in reach`,
  passed: answer === 'open',
  detail: answer,
})

export function notReached(target: Target, answer: string): Probe {
  const closed =
    ['ENETUNREACH', 'EHOSTUNREACH', 'ETIMEDOUT'].includes(answer) || (target.mayRefuse && answer === 'ECONNREFUSED')
  return { probe: `${name(target)} is out of reach`, passed: closed, detail: answer }
}

async function doesNotResolve(host: string): Promise<Probe> {
  const answer = await lookup(host).then(
    ({ address }) => address,
    () => undefined,
  )
  return { probe: `${host} has no address`, passed: answer === undefined, detail: answer ?? 'not found' }
}

/** Capabilities, new privileges and system call filter, from the text of `/proc/self/status`. */
export function rights(status: string): Probe[] {
  const field = (key: string) => new RegExp(`^${key}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? 'missing'
  const expectations = [
    ...['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((key) => [key, /^0+$/] as const),
    ['NoNewPrivs', /^1$/] as const,
    ['Seccomp', /^2$/] as const,
  ]
  return expectations.map(([key, pattern]) => ({
    probe: `${key} of the victim`,
    passed: pattern.test(field(key)),
    detail: field(key),
  }))
}

function noRoute(): Probe[] {
  const routes = readFileSync('/proc/net/route', 'utf8').trim().split('\n').slice(1)
  const gateways = routes.filter((line) => line.split(/\s+/)[1] === '00000000')
  return [{ probe: 'no default route', passed: gateways.length === 0, detail: gateways.join('; ') || 'none' }]
}

function noSocket(): Probe[] {
  const sockets = [
    '/var/run/docker.sock',
    '/run/docker.sock',
    '/run/containerd/containerd.sock',
    '/run/podman/podman.sock',
  ]
  const found = sockets.filter((path) => existsSync(path))
  return [{ probe: 'no engine socket', passed: found.length === 0, detail: found.join(', ') || 'none' }]
}

/** The observer is process 1. Nothing of it may be readable, and its memory not writable. */
function observerClosed(): Probe[] {
  const attempts: Record<string, () => unknown> = {
    '/proc/1/root': () => readdirSync('/proc/1/root/'),
    '/proc/1/cwd': () => readdirSync('/proc/1/cwd/'),
    '/proc/1/fd': () => readdirSync('/proc/1/fd'),
    '/proc/1/environ': () => readFileSync('/proc/1/environ'),
    '/proc/1/mem': () => readFileSync('/proc/1/mem', { flag: 'r+' }),
  }
  return Object.entries(attempts).map(([path, attempt]) => {
    const answer = failureOf(attempt)
    return {
      probe: `${path} is closed`,
      passed: ['EACCES', 'EPERM'].includes(answer ?? ''),
      detail: answer ?? 'it could be opened',
    }
  })
}

/** Sends what would end an unprotected process. The runner checks afterwards that the observer still answers. */
function signals(): Probe[] {
  for (const signal of [
    'SIGKILL',
    'SIGSTOP',
    'SIGTERM',
    'SIGINT',
    'SIGHUP',
    'SIGQUIT',
    'SIGUSR1',
    'SIGSEGV',
  ] as const) {
    failureOf(() => process.kill(1, signal))
  }
  const alive = failureOf(() => readFileSync('/proc/1/status')) === undefined
  return [{ probe: 'the observer outlives every signal', passed: alive, detail: alive ? 'alive' : 'gone' }]
}

function failureOf(attempt: () => unknown): string | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}
