import { deriveToken } from '@landfall/contracts'
import { archiveClassFixtures } from './archive-classes.ts'
import { archiveFixtures } from './archives.ts'
import { corpusSkills } from './corpus.ts'
import { deliveryFixtures } from './delivery.ts'
import type { FixtureRow } from './fixture.ts'
import { mcpFixtures } from './mcp-fixtures.ts'
import { stableFixtures } from './stable-fixtures.ts'

export * from './access.ts'
export { comesAsTree } from './channels.ts'
export * from './classify.ts'
export type * from './corpus-skill.ts'
export * from './corpus.ts'
export * from './decoy-uses.ts'
export * from './decoys.ts'
export * from './fixture.ts'
export * from './remote.ts'
export * from './sent.ts'

/** Every fixture, in the order of the matrix. */
export const fixtures: readonly FixtureRow[] = [
  ...archiveFixtures,
  ...archiveClassFixtures,
  ...deliveryFixtures,
  ...mcpFixtures,
  ...stableFixtures,
]

export function findFixture(id: string): FixtureRow | undefined {
  return fixtures.find((row) => row.id === id)
}

/** Every fixture, and then every skill of the corpus: whatever can leave a token. */
export const rows: readonly FixtureRow[] = [...fixtures, ...corpusSkills]

export function findRow(id: string): FixtureRow | undefined {
  return rows.find((row) => row.id === id)
}

/** Every token that a fixture can leave in the trial that holds `canary`. */
export function fixtureTokens(row: FixtureRow, canary: string): { token: string; fixture: string; site: string }[] {
  return row.sites.map((site) => ({ token: deriveToken(canary, row.id, site.id), fixture: row.id, site: site.id }))
}
