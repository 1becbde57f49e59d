import { z } from 'zod'
import { ArchiveFormat, Channel, Slug } from './words.ts'

/** The words that may stand in braces in a command. */
export const commandPlaceholders = ['archive', 'dest', 'stage', 'home', 'shims'] as const

/**
 * A host profile: one YAML file that says what is under test and how to run it. Adding a host is adding one.
 *
 * Commands are argument lists, never shell text. Placeholders in braces are filled in by the victim:
 * `{archive}` the delivered file, `{dest}` the skill's own directory (exists, empty), `{stage}` an empty
 * scratch directory next to it, `{home}` the user's home, `{shims}` the folder of the lab's own shims.
 */
export const Command = z.array(z.string().min(1)).min(1)

export const InstallStep = z.strictObject({
  /** Archive format this command handles. */
  format: ArchiveFormat,
  run: Command,
  /** Wall-clock limit in seconds. */
  timeoutSeconds: z.number().positive().max(600).default(60),
})

export const HostProfile = z.strictObject({
  id: Slug,
  title: z.string().min(1),
  kind: z.enum(['extractor', 'installer', 'agent', 'reference', 'control']),
  /** What a control must show in every run: `naive` lets every applicable fixture land, `inert` none. */
  control: z.enum(['naive', 'inert']).optional(),
  channels: z.array(Channel).min(1),
  /** Prints the version; its first line is recorded in every trial. */
  version: Command,
  /** One per archive format the host takes. */
  install: z.array(InstallStep).min(1),
  env: z.record(z.string(), z.string()).default({}),
  notes: z.string().optional(),
})
export type HostProfile = z.infer<typeof HostProfile>
export type InstallStep = z.infer<typeof InstallStep>

export { installExit } from './install-exit.ts'

/** The last line that `landfall-host install` prints on stdout: one JSON object. Evidence, never trusted for the verdict. */
export const InstallReport = z.strictObject({
  host: Slug,
  version: z.string(),
  dest: z.array(z.string()),
  deliveries: z.array(z.strictObject({ uri: z.string(), sha256: z.string(), bytes: z.int(), path: z.string() })),
  steps: z.array(
    z.strictObject({
      command: z.array(z.string()),
      exitCode: z.int().nullable(),
      signal: z.string().nullable(),
      durationMs: z.number(),
      timedOut: z.boolean(),
      /** Last 16 KiB of stdout and stderr together. */
      output: z.string(),
    }),
  ),
})
export type InstallReport = z.infer<typeof InstallReport>
