import { z } from 'zod'

/**
 * The use of an installed skill by the scripted agent: the worst case, an agent that obeys everything. What it
 * does comes from the files that are installed, so that a host which left something out changes the outcome.
 */

/** What set a payload off: `read` stands for content that only a model can read, such as a picture. */
export const UseTrigger = z.enum(['load', 'tool-use', 'obey', 'read'])
export type UseTrigger = z.infer<typeof UseTrigger>

/** What a model would do after it has read a file that a script cannot read. */
export const UnreadableContent = z.strictObject({
  /** Relative to the skill's directory. It must be installed, and be named by what the agent reads. */
  file: z.string().min(1),
  /** For a POSIX shell, as in the catalogue. */
  run: z.string().min(1),
})
export type UnreadableContent = z.infer<typeof UnreadableContent>

/** `landfall-host install --use JSON`: which skills the agent uses after the host has accepted them. */
export const UseRequest = z.strictObject({
  /** Names of installed skills, in order. */
  skills: z.array(z.string().min(1)).min(1),
  /** Directory of each, with `{home}` and `{skill}`; where the lab puts skills when not stated. */
  place: z.string().optional(),
  unreadable: z.array(UnreadableContent).default([]),
  /** Wall-clock limit of the whole use, in seconds. */
  timeoutSeconds: z.number().positive().max(600).default(60),
})
export type UseRequest = z.infer<typeof UseRequest>

/** One thing that the agent started. */
export const UseStep = z.strictObject({
  skill: z.string(),
  trigger: UseTrigger,
  /** Where it was found: `SKILL.md:12`, `frontmatter`, `review-guidelines.md (invisible)`. */
  source: z.string(),
  run: z.string(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  durationMs: z.number().nonnegative(),
  timedOut: z.boolean(),
  /** The end of stdout and stderr together. */
  output: z.string(),
})
export type UseStep = z.infer<typeof UseStep>

/** The last line that `landfall-host use` prints on stdout. Evidence, never trusted for the verdict. */
export const UseReport = z.strictObject({
  step: z.literal('use'),
  skills: z.array(
    z.strictObject({
      skill: z.string(),
      /** A SKILL.md that can be read was there. */
      loaded: z.boolean(),
      /** Files of the skill that the agent read, relative to its directory. */
      read: z.array(z.string()),
      steps: z.array(UseStep),
      /** Steps that were left out, because there were too many. */
      leftOut: z.int().nonnegative(),
    }),
  ),
})
export type UseReport = z.infer<typeof UseReport>
