import { z } from 'zod'

/** The self-test of a victim: what the runner asks `landfall-host self-test` to probe, and what it answers. */
const Target = z.strictObject({
  /** How it is called in a report. */
  what: z.string(),
  host: z.string(),
  port: z.int().min(1).max(65_535),
  /** A refused connection counts as out of reach: the machine may answer as long as nothing listens there. */
  mayRefuse: z.boolean(),
})

export const SelfTestTargets = z.strictObject({
  reachable: z.array(Target),
  unreachable: z.array(Target),
  /** Names that must have this one address and no other: the sinkhole's. */
  sinkholed: z.strictObject({ address: z.ipv4(), names: z.array(z.string()) }),
})
export type SelfTestTargets = z.infer<typeof SelfTestTargets>

/** The one line on stdout. The command exits 0 whenever it could probe, whatever it found. */
export const SelfTestProbes = z.array(z.strictObject({ probe: z.string(), passed: z.boolean(), detail: z.string() }))
export type SelfTestProbes = z.infer<typeof SelfTestProbes>
