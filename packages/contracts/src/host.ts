import { z } from 'zod'
import { ArchiveFormat, Channel, fetchedChannels, Slug } from './words.ts'

/** The words that may stand in braces in a command. */
export const commandPlaceholders = ['archive', 'dest', 'stage', 'home', 'shims', 'skill', 'url', 'revision'] as const
export type CommandPlaceholder = (typeof commandPlaceholders)[number]

/**
 * A host profile: one YAML file that says what is under test and how to run it. Adding a host is adding one.
 *
 * Commands are argument lists, never shell text. Placeholders in braces are filled in by the victim:
 * `{archive}` the delivered file, `{dest}` the skill's own directory (exists, empty), `{stage}` an empty
 * scratch directory next to it, `{home}` the user's home, `{shims}` the folder of the lab's own shims, `{skill}`
 * the skill's name; for a host that speaks MCP itself `{url}` the endpoint and `{revision}` `index` or `stable`; for
 * one that fetches by itself `{url}` the address of what it is to fetch.
 */
export const Command = z.array(z.string().min(1)).min(1)

/** Wall-clock limit in seconds. */
const timeoutSeconds = z.number().positive().max(600).default(60)

export const HostStep = z.strictObject({ run: Command, timeoutSeconds })

/**
 * What the image of the victim must hold for this host. The image is built from these lists, so they are exact.
 * They reach a command line of the build, hence the narrow patterns.
 */
export const HostNeeds = z.strictObject({
  /** Debian packages, in the version that the image's release has. */
  apt: z.array(z.string().regex(/^[a-z0-9][a-z0-9+.-]+$/, 'expected the name of a Debian package')).default([]),
  /**
   * npm packages with exact versions, by the name that a shim imports. `npm:<name>@<version>` keeps an old release
   * beside a newer one.
   */
  npm: z
    .record(
      z.string().regex(/^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/, 'expected the name of an npm package'),
      z
        .string()
        .regex(
          /^(?:npm:(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*@)?\d+\.\d+\.\d+(?:-[0-9a-z.-]+)?$/,
          'expected an exact version',
        ),
    )
    .default({}),
})
export type HostNeeds = z.infer<typeof HostNeeds>

/** What the host may use up; beyond it the victim is stopped, and a hang or a full memory is a finding. */
export const HostLimits = z.strictObject({
  memoryMiB: z.int().min(64).max(8192).optional(),
  processes: z.int().min(8).max(4096).optional(),
})

export const InstallStep = z.strictObject({
  /** Archive format this command handles. */
  format: ArchiveFormat,
  run: Command,
  timeoutSeconds,
})

/** How a host is told to fetch: it gets the address `{url}` of a skill, or of a place that has the `{skill}`. */
export const FetchStep = z.strictObject({
  channel: z.enum(fetchedChannels),
  /** Which archives it takes there; absent where a skill comes as a tree of files. */
  format: ArchiveFormat.optional(),
  run: Command,
  timeoutSeconds,
})

/** Images made on top of the victim, with the real installers: the small ones, and the coding agents. */
export const agentImages = ['victim-agents', 'victim-coding-agents'] as const
export type AgentImage = (typeof agentImages)[number]

export const HostProfile = z.strictObject({
  id: Slug,
  title: z.string().min(1),
  kind: z.enum(['extractor', 'installer', 'agent', 'reference', 'control']),
  /** What a control must show in every run: `naive` lets every applicable fixture land, `inert` none. */
  control: z.enum(['naive', 'inert']).optional(),
  /** It verifies and installs nothing, so that nothing of the benign skill is to be found. */
  oracle: z.literal(true).optional(),
  /** Left out of a run unless it is named, or the run takes `--all`: a matrix that is read first is a small one. */
  onRequest: z.boolean().optional(),
  /** Image of the victim, when not the usual one: made on top of it, by the first run that asks for such a host. */
  image: z.enum(agentImages).optional(),
  channels: z.array(Channel).min(1),
  /** Prints the version; its first line is recorded in every trial. */
  version: Command,
  needs: HostNeeds.default({ apt: [], npm: {} }),
  /** One per archive format the host takes. May be empty for a host that has `connect`. */
  install: z.array(InstallStep).default([]),
  /** Of a host that speaks MCP itself: connects to `{url}` and installs what it finds there. */
  connect: HostStep.optional(),
  /** Of a host that fetches by itself, without MCP. The first that fits a channel and the fixture's formats is used. */
  fetch: z.array(FetchStep).optional(),
  /**
   * Where a host of its own ways puts the skill of a name: each of these belongs to the skill, instead of `{dest}`.
   */
  places: z.array(z.string().regex(/^\{home\}\/.*\{skill\}/, 'expected a path below {home}/ with {skill}')).optional(),
  /**
   * Where such a host keeps skills, if not below the directory of each skill's bare name: paths in which a star stands
   * for one name or a part of it. What lies there is inside of its skill.
   */
  keeps: z.array(z.string().regex(/^\{home\}\/[^{}]+$/, 'expected a path that begins with {home}/')).default([]),
  /**
   * Where it unpacks before it decides, as paths of the same kind. What lies there is inside of its skill, and what
   * was only there, and for a moment, was never installed.
   */
  scratch: z
    .array(z.string().regex(/^(?:\{home\}|\/tmp)\/[^{}]+$/, 'expected a path that begins with {home}/ or /tmp/'))
    .optional(),
  /** Installs the same skill once more, from what is served now. */
  update: HostStep.optional(),
  /** Uses the installed skill, as the host itself would. */
  run: HostStep.optional(),
  uninstall: HostStep.optional(),
  limits: HostLimits.optional(),
  env: z.record(z.string(), z.string()).default({}),
  notes: z.string().optional(),
})
export type HostProfile = z.infer<typeof HostProfile>
export type InstallStep = z.infer<typeof InstallStep>
export type FetchStep = z.infer<typeof FetchStep>
export type HostStep = z.infer<typeof HostStep>

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
