import { execa } from 'execa'

export interface Outcome {
  readonly ok: boolean
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
  /** One line that says why it failed, for use inside a longer message. */
  readonly why: string
}

export interface ExecOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly timeoutMs?: number
  readonly onLine?: (line: string) => void
}

// dpkg refuses to work, and dockerd does not find iptables, where a user became root without root's own PATH.
const systemFolders = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export function searchPath(env: NodeJS.ProcessEnv = process.env): string {
  return env['PATH'] ? `${env['PATH']}:${systemFolders}` : systemFolders
}

/** Runs a command without a shell; a failure is an outcome, not an exception. */
export async function exec(file: string, args: readonly string[], options: ExecOptions = {}): Promise<Outcome> {
  const child = execa(file, args, {
    reject: false,
    stdin: 'ignore',
    all: true,
    env: { LC_ALL: 'C', PATH: searchPath(), ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
  })
  if (options.onLine) for await (const line of child.iterable({ from: 'all' })) options.onLine(line)
  const result = await child
  const lastLine = result.stderr.trim().split('\n').at(-1)
  return {
    ok: !result.failed,
    code: result.exitCode,
    stdout: result.stdout,
    stderr: result.stderr,
    why: lastLine !== undefined && lastLine !== '' ? lastLine : (result.shortMessage ?? ''),
  }
}
