import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

/** For tests: the server as a process of its own, so that its memory and its end can be looked at from outside. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly child: ChildProcess
  /** Resident set, in MiB. */
  readonly residentMiB: () => Promise<number>
  /** Open descriptors: files, sockets, everything. */
  readonly exit: Promise<number | null>
}

const Line = z.looseObject({ mcp: z.string().optional(), msg: z.string() })

export async function startProcess(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts')], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exit = once(child, 'exit').then(([code]) => z.number().nullable().parse(code))
  const url = await addressFrom(child)
  return {
    url,
    child,
    exit,
    residentMiB: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exit
    },
  }
}

async function addressFrom(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('no stderr')
  for await (const text of createInterface({ input: child.stderr })) {
    const { mcp, msg } = Line.parse(JSON.parse(text))
    if (mcp === undefined) throw new Error(`did not start: ${msg}`)
    // Whatever else it says must not fill the pipe.
    child.stderr.resume()
    return mcp
  }
  throw new Error('ended without a line')
}
