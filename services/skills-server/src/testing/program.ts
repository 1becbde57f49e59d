import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** For tests: runs one of the programs that npm has installed, with a home of its own that is removed afterwards. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const bin = join(import.meta.dirname, '../../../../node_modules/.bin')

export async function runProgram(name: string, args: readonly string[]): Promise<Ended> {
  const home = await mkdtemp(join(tmpdir(), 'landfall-program-'))
  try {
    const child = spawn(process.execPath, [join(bin, name), ...args], {
      env: { HOME: home, PATH: process.env['PATH'] ?? '', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: home,
    })
    const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
    const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    return { code, stdout, stderr }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
