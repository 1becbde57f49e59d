import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAs, Results, TrialResult } from '@landfall/contracts'
import { execa } from 'execa'

/** Drives the `landfall` command as a user would: in a process of its own, with a results folder of its own. */
export const root = join(import.meta.dirname, '../..')

function start(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return execa(program, args, { cwd: root, reject: false, stdin: 'ignore', all: true, env: { ...env } })
}
export type Running = ReturnType<typeof start>

export class Workplace implements AsyncDisposable {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async create(): Promise<Workplace> {
    return new Workplace(await mkdtemp(join(tmpdir(), 'landfall-test-')))
  }

  get results(): string {
    return join(this.folder, 'results')
  }

  /** Starts `landfall run`; `env` may point it at another engine, `prefix` into another network namespace. */
  run(args: readonly string[], { env = {}, prefix = [] }: RunPlace = {}): Running {
    return this.landfall(['run', '--results', this.results, ...args], { env, prefix })
  }

  landfall(args: readonly string[], { env = {}, prefix = [] }: RunPlace = {}): Running {
    const [program = process.execPath, ...rest] = [
      ...prefix,
      process.execPath,
      join(root, 'scripts/landfall.ts'),
      ...args,
    ]
    return start(program, rest, env)
  }

  /** Parsed by its schema: a results file that breaks its contract fails the test. */
  async readResults(run = 'latest'): Promise<Results> {
    const file = join(this.results, run, 'results.json')
    return parseAs(Results, JSON.parse(await readFile(file, 'utf8')), file)
  }

  async readLines(run: string): Promise<TrialResult[]> {
    const text = await readFile(join(this.results, run, 'trials.ndjson'), 'utf8').catch(() => '')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => TrialResult.parse(JSON.parse(line)))
  }

  /** A copy of the host profiles, to change. */
  async copyHosts(): Promise<string> {
    const folder = join(this.folder, 'hosts')
    await cp(join(root, 'services/victim-host/hosts'), folder, { recursive: true })
    return folder
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}

interface RunPlace {
  readonly env?: Readonly<Record<string, string>>
  readonly prefix?: readonly string[]
}

/** The run's id, from the line that every run begins with. */
export function runIdOf(output: string | undefined): string {
  const id = /^Run ([0-9a-z-]+):/m.exec(output ?? '')?.[1]
  if (id === undefined) throw new Error(`no run was announced in:\n${output ?? ''}`)
  return id
}

/** Resolves once a running command has printed `pattern` `times` times. Rejects when it ends before. */
export async function untilPrinted(child: Running, pattern: RegExp, times = 1): Promise<void> {
  let text = ''
  const ended = child.then(({ all }) => {
    throw new Error(`it ended before it printed ${pattern} ${times} times:\n${all}`)
  })
  const seen = new Promise<void>((resolve) => {
    child.all?.on('data', (data: Buffer) => {
      text += data.toString()
      if (text.split('\n').filter((line) => pattern.test(line)).length >= times) resolve()
    })
  })
  await Promise.race([seen, ended])
}
