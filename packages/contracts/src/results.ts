import { z } from 'zod'
import { Channel, Outcome, Sha256, Slug, TrialId, Verdict, VictimUser } from './words.ts'

/** The published results contract. Names here are fixed; more may be added, none may change meaning. */
export const resultsSchemaVersion = '1.0.0'

/** A site of the fixture that was seen, and who saw it where. */
export const SeenSite = z.object({
  site: Slug,
  path: z.string(),
  /** `w1` manifests, `w2` the engine, `w3` live events; the sinkhole and the server's access log speak for addresses. */
  witness: z.enum(['w1', 'w2', 'w3', 'sinkhole', 'access-log']),
  /** Whether the catalogue counts this site as harm. */
  harmful: z.boolean(),
})
export type SeenSite = z.infer<typeof SeenSite>

export const TrialResult = z.object({
  id: TrialId,
  fixture: Slug,
  host: Slug,
  channel: Channel,
  user: VictimUser,
  outcome: Outcome,
  verdict: Verdict,
  /** One sentence. */
  reason: z.string(),
  sites: z.array(SeenSite),
  durationMs: z.number().nonnegative(),
  /** Folder of the evidence, relative to the run's folder; empty for a trial that needed no victim. */
  evidence: z.string(),
  /** Hash of the victim's canonical manifest at the end (docs/observer.md); absent when there was no victim. */
  manifestAfter: Sha256.optional(),
  /** Paths that W1 or the engine named, and of how many they did not say the same; absent without a cross-check. */
  crossCheck: z.object({ compared: z.int().nonnegative(), disagreements: z.int().nonnegative() }).optional(),
})
export type TrialResult = z.infer<typeof TrialResult>

export const ControlResult = z.object({ name: z.string(), passed: z.boolean(), detail: z.string() })
export type ControlResult = z.infer<typeof ControlResult>

export const RunInfo = z.object({
  id: z.string(),
  seed: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  tool: z.string(),
  engine: z.record(z.string(), z.string()),
  kernel: z.string(),
  /** Service to the id of its image. */
  images: z.record(z.string(), z.string()),
  hosts: z.record(z.string(), z.object({ version: z.string() })),
  /** The run was stopped before its last trial. */
  interrupted: z.boolean().optional(),
})
export type RunInfo = z.infer<typeof RunInfo>

export const Results = z.object({
  $schema: z.string(),
  schemaVersion: z.literal(resultsSchemaVersion),
  run: RunInfo,
  controls: z.array(ControlResult),
  trials: z.array(TrialResult),
})
export type Results = z.infer<typeof Results>

/** Name of the schema file that stands beside every `results.json`. */
export const resultsSchemaFile = 'results.schema.json'

/** The contract as JSON Schema (draft 2020-12), for readers that are not written in TypeScript. */
export function resultsJsonSchema(): Record<string, unknown> {
  return { title: 'Landfall results', ...z.toJSONSchema(Results) }
}
