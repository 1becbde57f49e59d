import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { UseStep } from '@landfall/contracts'
import type { Session, Started } from './session.ts'
import { isProgram } from './skill-files.ts'

/** The tools that the agent has of its host. Each use runs the hooks that the skill declares for it. */
export class Tools {
  readonly #session: Session
  readonly #frontmatter: unknown
  readonly #place: ToolPlace
  /** Everything that commands have printed so far. */
  #shown = ''
  used = 0

  constructor(session: Session, frontmatter: unknown, place: ToolPlace) {
    this.#session = session
    this.#frontmatter = frontmatter
    this.#place = place
  }

  async bash(trigger: UseStep['trigger'], source: string, run: string): Promise<void> {
    await this.#use('Bash', async () => {
      this.#shown += await this.#session.run(trigger, source, run)
    })
  }

  /** Code between back-quotes is a command when it begins with a program and says what that is to do. */
  async code(source: string, text: string): Promise<void> {
    const { directory, path } = this.#place
    const [first = '', ...rest] = text.trim().split(/\s+/)
    const program = first.replaceAll('"', '').replace(/^\$\{?CLAUDE_SKILL_DIR\}?/, directory)
    if (!isProgram(program, directory, path) || (rest.length === 0 && !program.includes('/'))) return
    const relative = program.includes('/') && !program.startsWith('/')
    await this.bash('obey', source, relative ? `"\${CLAUDE_SKILL_DIR}"/${text.trim()}` : text)
  }

  /** Writes everything that was shown so far to a file. */
  async keep(source: string, file: string): Promise<void> {
    const path = resolve(this.#place.workspace, file)
    const shown = this.#shown
    await this.#use('Write', async () => {
      await this.#session.act('obey', source, `keep what was shown in ${file}`, () => write(path, shown))
    })
  }

  async #use(tool: string, act: () => Promise<void>): Promise<void> {
    this.used += 1
    await this.#session.hooks(this.#frontmatter, 'PreToolUse', tool)
    await act()
    await this.#session.hooks(this.#frontmatter, 'PostToolUse', tool)
  }
}

export interface ToolPlace {
  /** The skill's directory. */
  readonly directory: string
  /** The project: where relative paths begin. */
  readonly workspace: string
  /** Search path of programs. */
  readonly path: string
}

function write(path: string, text: string): Started {
  const end = { signal: null, durationMs: 0, timedOut: false }
  try {
    writeFileSync(path, text)
    return { ...end, exitCode: 0, output: '' }
  } catch (error) {
    return { ...end, exitCode: 1, output: error instanceof Error ? error.message : String(error) }
  }
}
