import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, open, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { LandfallError } from '@landfall/contracts'
import { z } from 'zod'

/** The two servers that are compared, each as a process of its own. */
export interface BenchServer extends AsyncDisposable {
  /** Of the MCP endpoint. */
  readonly url: string
  /** Resident set, in MiB. */
  readonly residentMiB: () => Promise<number>
}

/** What `npm run serve:http` runs. Starts the server as a process of its own, with the flags that users get. */
const starter = join(import.meta.dirname, '../../../../scripts/start.mjs')
const pollMs = 50
const Listening = z.looseObject({ mcp: z.string() })

/**
 * The server as users start it, with everything that it can serve, and its log as it is when deployed. The log goes to
 * a file without a name: the load comes from this process, which would be slowed by a pipe that it has to empty for
 * one of the two servers and not for the other.
 */
export async function startOurs(): Promise<BenchServer> {
  const env = { ...process.env, PORT: '0', SERVE_PROFILE: 'all', RATE_LIMIT: '0' }
  await using folder = await mkdtempDisposable(join(tmpdir(), 'landfall-bench-'))
  const path = join(folder.path, 'log')
  await using log = await open(path, 'w')
  const child = spawn(process.execPath, [starter, 'serve-http'], { env, stdio: ['ignore', 'ignore', log.fd] })
  const line = await firstLineIn(path, child)
  return server(child, `${Listening.parse(JSON.parse(line)).mcp}/mcp`, await onlyChildOf(child.pid))
}

/** @param answers what it is to answer, as its own file says. */
export async function startMinimal(answers: unknown): Promise<BenchServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'minimal-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(answers))
  return server(child, `${await firstLine(child.stdout)}/mcp`)
}

/** The server itself: the starter only waits for it. */
async function onlyChildOf(pid: number | undefined): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
  const [only, ...others] = children.map(Number)
  if (!only || others.length > 0) throw new LandfallError('service', 'The starter does not run exactly one server')
  return only
}

function server(child: ChildProcess, url: string, pid = child.pid): BenchServer {
  const ended = once(child, 'exit')
  return {
    url,
    residentMiB: async () => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function firstLineIn(path: string, child: ChildProcess): Promise<string> {
  for (;;) {
    const [line, ...more] = (await readFile(path, 'utf8')).split('\n')
    if (line !== undefined && more.length > 0) return line
    if (child.exitCode !== null) throw new LandfallError('service', 'A server ended before it was listening')
    await delay(pollMs)
  }
}

async function firstLine(stream: Readable): Promise<string> {
  const lines = createInterface({ input: stream })
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as unknown[]
  if (typeof line !== 'string') throw new LandfallError('service', 'A server ended before it was listening')
  lines.close()
  stream.resume()
  return line
}
