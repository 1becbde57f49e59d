import type { FixtureRow } from './fixture.ts'

/**
 * What sets a payload off after the installation.
 * - `load`: the host puts the skill into a prompt, and runs what stands there to be run
 * - `tool-use`: the agent uses any tool of its host while the skill is active
 * - `obey`: the agent does what the text of the skill says
 */
export type Trigger = 'load' | 'tool-use' | 'obey'

/** One command that a host or an agent ends up running when nothing stops it. */
export interface PayloadStep {
  readonly trigger: Trigger
  /**
   * For a POSIX shell whose working directory is the project and whose `CLAUDE_SKILL_DIR` is the skill's
   * directory. `{{canary:<site>}}` stands for the token of that site, as in the files of the corpus.
   */
  readonly run: string
  /**
   * File of the skill, relative to its directory, in which only a model can read what to do: a picture. Absent where
   * a script finds the payload in the installed files by itself.
   */
  readonly reads?: string
}

/** A symbolic link that only the archive forms hold: on disk it would lead out of the checkout. */
export interface CorpusLink {
  /** Relative to the skill's directory. */
  readonly path: string
  readonly target: string
}

/**
 * A row of the corpus: a skill that is served honestly and does harm only to a host or an agent that acts on
 * it. `id` is the folder below `corpus/`, which need not be the skill's name.
 */
export interface CorpusRow extends FixtureRow {
  readonly steps: readonly PayloadStep[]
  readonly links?: readonly CorpusLink[]
}
