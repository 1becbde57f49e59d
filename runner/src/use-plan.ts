import { type CorpusRow, type FixtureRow, stampTokens } from '@landfall/catalog'
import type { UseRequest } from '@landfall/contracts'

/**
 * What the scripted agent is to use after an installation: rows whose payload only acts then say so. Pure.
 *
 * @param place where the host puts a skill, when not where the lab does.
 */
export function useOf(row: FixtureRow, canary: string, place?: string): UseRequest | undefined {
  if (!hasSteps(row)) return undefined
  return {
    skills: [...new Set(row.skills)],
    // Everything else the agent finds in the installed files by itself.
    unreadable: row.steps.flatMap(({ reads, run }) =>
      reads === undefined ? [] : [{ file: reads, run: stampTokens(run, row.id, canary) }],
    ),
    timeoutSeconds: useLimitSeconds,
    ...(place === undefined ? {} : { place }),
  }
}

/**
 * The same for a host that connects by itself, for every row: over MCP many payloads are texts that only act when an
 * agent obeys them.
 */
export function useOfConnected(row: FixtureRow, canary: string): UseRequest {
  return useOf(row, canary) ?? { skills: [...new Set(row.skills)], unreadable: [], timeoutSeconds: useLimitSeconds }
}

/** Wall-clock limit of a use: npm and a test runner take seconds on a slow machine. */
const useLimitSeconds = 60

export function hasSteps(row: FixtureRow): row is CorpusRow {
  return 'steps' in row
}
