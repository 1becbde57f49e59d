import type { UseReport, UseStep } from '@landfall/contracts'
import { hookCommands, type HookEvent } from './hooks.ts'

/** What the agent started for one skill, in order and within a limit. */

/** How something that was started has ended. */
export type Started = Pick<UseStep, 'exitCode' | 'signal' | 'durationMs' | 'timedOut' | 'output'>

/** Runs a command of a POSIX shell. Never throws for what the command does. */
export type Starter = (run: string) => Promise<Started>

/** Things that an agent starts for one skill: far more than any honest skill asks for. */
const mostSteps = 64

export class Session {
  readonly #skill: string
  readonly #start: Starter
  readonly #steps: UseStep[] = []
  readonly #read = new Set<string>()
  #leftOut = 0

  constructor(skill: string, start: Starter) {
    this.#skill = skill
    this.#start = start
  }

  /** Notes that a file is read. @returns whether it is the first time. */
  reads(file: string): boolean {
    const first = !this.#read.has(file)
    this.#read.add(file)
    return first
  }

  /** @returns what it printed; nothing when it was left out. */
  async run(trigger: UseStep['trigger'], source: string, run: string): Promise<string> {
    return await this.act(trigger, source, run, () => this.#start(run))
  }

  /** The same for what is no command of a shell: `what` says it in words. */
  async act(
    trigger: UseStep['trigger'],
    source: string,
    what: string,
    doIt: () => Promise<Started> | Started,
  ): Promise<string> {
    if (this.#steps.length >= mostSteps) {
      this.#leftOut += 1
      return ''
    }
    const started = await doIt()
    this.#steps.push({ skill: this.#skill, trigger, source, run: what, ...started })
    return started.output
  }

  async hooks(frontmatter: unknown, event: HookEvent, tool?: string): Promise<void> {
    const trigger = event.endsWith('ToolUse') ? 'tool-use' : 'load'
    for (const command of hookCommands(frontmatter, event, tool))
      await this.run(trigger, `frontmatter, ${event}`, command)
  }

  report(loaded: boolean): UseReport['skills'][number] {
    return {
      skill: this.#skill,
      loaded,
      read: [...this.#read],
      steps: this.#steps,
      leftOut: this.#leftOut,
    }
  }
}
