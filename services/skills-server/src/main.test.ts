import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The process as the container runs it. */
function run(script: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, script)], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function firstLine(child: ChildProcess): Promise<Record<string, unknown>> {
  if (child.stderr === null) throw new Error('no stderr')
  for await (const line of createInterface({ input: child.stderr })) return JSON.parse(line) as Record<string, unknown>
  throw new Error('ended without a line')
}

async function exitCodeOf(child: ChildProcess): Promise<unknown> {
  const [code] = (await once(child, 'exit')) as unknown[]
  return code
}

describe('main', { timeout: 30_000 }, () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('serves, is healthy, and ends in order on %s', async (signal) => {
    const child = run('main.ts', { PORT: '0' })
    const line = await firstLine(child)
    const port = new URL(String(line['mcp'])).port
    expect(await exitCodeOf(run('healthcheck.ts', { PORT: port }))).toBe(0)
    const exit = exitCodeOf(child)
    const started = performance.now()
    child.kill(signal)
    expect(await exit).toBe(0)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('names the setting that it cannot use and exits 1', async () => {
    const child = run('main.ts', { PORT: 'many' })
    const exit = exitCodeOf(child)
    expect(await firstLine(child)).toMatchObject({ code: 'invalid', reason: expect.stringContaining('PORT') as string })
    expect(await exit).toBe(1)
  })

  it('is unhealthy where nothing listens', async () => {
    expect(await exitCodeOf(run('healthcheck.ts', { PORT: '1' }))).toBe(1)
  })
})
