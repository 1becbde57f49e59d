import { archiveHazards, archiveRules } from './index-archive-rules.ts'
import { indexHazards } from './index-hazards.ts'
import { indexRules } from './index-rules.ts'
import type { Report, Rule } from './rule.ts'
import { check } from './rule.ts'
import { stableDirectoryRules } from './stable-directory-rules.ts'
import { stableEntryRules } from './stable-entry-rules.ts'
import { stableHazards } from './stable-hazards.ts'
import { stableManifestRules } from './stable-manifest-rules.ts'
import { stableMethodRules } from './stable-method-rules.ts'
import type { IndexSurvey, StableSurvey } from './survey.ts'

export type { Report } from './rule.ts'

/**
 * For tests: a checker as strict as the fact sheet, which reports every rule of it that a server breaks, and every
 * danger that one of its host rules is about. It never looks into the server: two visits are all it knows.
 */
export const stableRules: readonly Rule<StableSurvey>[] = [
  ...stableMethodRules,
  ...stableEntryRules,
  ...stableManifestRules,
  ...stableDirectoryRules,
  ...stableHazards,
]

export const indexRuleSet: readonly Rule<IndexSurvey>[] = [
  ...indexRules,
  ...archiveRules,
  ...indexHazards,
  ...archiveHazards,
]

export function checkStable(survey: StableSurvey): Report {
  return check(stableRules, survey)
}

export function checkIndex(survey: IndexSurvey): Report {
  return check(indexRuleSet, survey)
}
