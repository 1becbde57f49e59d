import { z } from 'zod'

/**
 * What the lab does itself in a victim to see whether its witnesses are awake: the plan that the runner gives to
 * `landfall-host act`, and the report on its last line.
 */
const TokenFile = z.strictObject({ path: z.string().startsWith('/'), text: z.string() })

export const KnownActs = z.strictObject({
  /** Written and left. */
  stays: TokenFile,
  /** Written and removed again at once. */
  passes: TokenFile,
  /** A decoy that is read. */
  reads: z.string().startsWith('/'),
  /** Addresses that are asked for. */
  requests: z.array(z.url()),
  /** Names that are looked up. */
  lookups: z.array(z.string().min(1)),
  /** A process lives this long with the mark in its command line. */
  process: z.strictObject({ mark: z.string().regex(/^[a-z0-9-]+$/), seconds: z.number().positive().max(10) }),
})
export type KnownActs = z.infer<typeof KnownActs>

/** What could not be done, one sentence each. A witness cannot be blamed for what did not happen. */
export const KnownActsReport = z.strictObject({ step: z.literal('act'), failures: z.array(z.string()) })
export type KnownActsReport = z.infer<typeof KnownActsReport>
