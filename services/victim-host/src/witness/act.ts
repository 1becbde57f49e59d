import { spawn } from 'node:child_process'
import { resolve4 } from 'node:dns/promises'
import { once } from 'node:events'
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { KnownActs, type KnownActsReport, parseAs } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts/errors'
import { preparedHosts } from '../profiles.ts'
import { runHost } from '../run-host.ts'

/**
 * `landfall-host act`: does what the runner says, so that every witness has something to see. Nothing here is
 * hidden from anybody: a witness that does not tell of it is asleep.
 *
 * @returns always 0; what could not be done stands in the report, on the last line of stdout.
 * @throws LandfallError `usage` outside of a victim, `invalid` for a plan that is none.
 */
export async function act(plan: string): Promise<number> {
  if (preparedHosts() === undefined)
    throw new LandfallError('usage', 'this is for a victim only, and this machine is none')
  const acts = parseAs(KnownActs, parseJson(plan), 'the plan')
  const failures: string[] = []
  const attempt = async (what: string, doIt: () => unknown): Promise<void> => {
    try {
      await doIt()
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const { mark, seconds } = acts.process
  const living = attempt('a process', () => liveFor(mark, seconds))
  await attempt('a file that stays', () => writeFileSync(acts.stays.path, acts.stays.text))
  await attempt('a file that passes', () => {
    writeFileSync(acts.passes.path, acts.passes.text)
    unlinkSync(acts.passes.path)
  })
  await attempt('a decoy', () => readFileSync(acts.reads))
  await Promise.all([
    ...acts.requests.map((url) => attempt(url, () => request(url))),
    ...acts.lookups.map((name) => attempt(name, () => resolve4(name))),
  ])
  await living
  process.stdout.write(`${JSON.stringify({ step: 'act', failures } satisfies KnownActsReport)}\n`)
  return 0
}

/** The mark is an argument that the shell ignores. */
async function liveFor(mark: string, seconds: number): Promise<void> {
  const child = spawn('sh', ['-c', `sleep ${seconds}; :`, mark], { stdio: 'ignore' })
  await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`it ended with ${String(child.exitCode)}`)
}

/** As a payload would: with curl, and the certificates that this victim trusts. Any answer is one. */
async function request(url: string): Promise<void> {
  const argv = ['curl', '-sS', '-o', '/dev/null', '--max-time', '30', url]
  const env = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const { exitCode, output } = await runHost({ argv, cwd: '/', env, timeoutMs: 40_000 })
  if (exitCode !== 0) throw new Error(output.trim())
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LandfallError('usage', 'the plan is not JSON', {}, { cause })
  }
}
