import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { LandfallError } from '@landfall/contracts'
import { z } from 'zod'

/** The two servers that are compared, each as a process of its own. */
export interface BenchServer extends AsyncDisposable {
  /** Of the MCP endpoint. */
  readonly url: string
  /** Resident set, in MiB. */
  readonly residentMiB: () => Promise<number>
}

/** As in its container: requests are small, and a large nursery only makes the process larger. */
const nodeFlags = ['--max-semi-space-size=8']
const Listening = z.looseObject({ mcp: z.string() })

/** The server with everything that it can serve, and its log as it is when deployed. */
export async function startOurs(): Promise<BenchServer> {
  const env = { ...process.env, PORT: '0', SERVE_PROFILE: 'all', RATE_LIMIT: '0' }
  const child = spawn(process.execPath, [...nodeFlags, join(import.meta.dirname, '../main.ts'), '--http'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const line = await firstLine(child.stderr)
  return server(child, `${Listening.parse(JSON.parse(line)).mcp}/mcp`)
}

/** @param answers what it is to answer, as its own file says. */
export async function startMinimal(answers: unknown): Promise<BenchServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'minimal-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(answers))
  return server(child, `${await firstLine(child.stdout)}/mcp`)
}

function server(child: ChildProcess, url: string): BenchServer {
  const ended = once(child, 'exit')
  return {
    url,
    residentMiB: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function firstLine(stream: Readable): Promise<string> {
  const lines = createInterface({ input: stream })
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as unknown[]
  if (typeof line !== 'string') throw new LandfallError('service', 'A server ended before it was listening')
  // Whatever else it says is read and dropped, so that it never has to wait for us.
  lines.on('line', () => undefined)
  return line
}
